import { checkPositions } from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import { checkHyperedgeRequest, type HyperedgeOptions } from "./hyperedge-request.ts";
import { checkOptions } from "./read-options.ts";
import { createProblem, fillProblem } from "./typescript/hyperedge/problem.ts";
import { score } from "./typescript/hyperedge/score.ts";

/** What the score of a set is made of; its parts add up to it but for rounding. */
export interface HyperedgeScore {
  /** F, to the last bit as {@link enumerateHyperedges} gives it without constraints. */
  readonly score: number;
  /** m numbers, in the order of `members`: what each adds to the alignment, its logit, or its logit times its softmax among the members. */
  readonly alignment: Float64Array;
  /** m (m − 1) / 2 numbers, G of each pair of members: the first with the second, with the third, …, the second with the third, … */
  readonly pairs: Float64Array;
  /** c of the set's size. */
  readonly offset: number;
}

/**
 * Splits the score of one set into what each member and each pair adds (HYSET, equations 2 and 3).
 *
 * @param logits l, K numbers.
 * @param pairScores G_2 … G_M, (M − 1) × K × K numbers, each matrix symmetric; what stands above the diagonal is read.
 * @param members Positions in the pool, different ones, 1 to M of them.
 * @throws {KernelError} `invalid-argument` as {@link enumerateHyperedges}, and when the members are no such set.
 */
export function scoreHyperedge(
  logits: Float64Array,
  pairScores: Float64Array,
  members: Uint32Array,
  options: Pick<HyperedgeOptions, "maxSize" | "alignment" | "sizeOffsets"> = {},
): HyperedgeScore {
  const { maxSize, alignment, sizeOffsets } = checkOptions("options", options);
  const request = checkHyperedgeRequest(logits, pairScores, { maxSize, alignment, sizeOffsets });
  const sorted = Uint16Array.from(checkPositions("members", members, request.pool)).sort();
  const size = sorted.length;
  if (size < 1 || size > request.maxSize || new Set(sorted).size < size) {
    const text = `members: expected 1 to ${request.maxSize} different positions, got ${JSON.stringify([...members])}.`;
    throw new KernelError("invalid-argument", text);
  }
  const problem = createProblem();
  fillProblem(problem, request);
  const own = Float64Array.from(members, (member) => logits[member]!);
  const pairs = new Float64Array((size * (size - 1)) / 2);
  let at = 0;
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1, at += 1) {
      const [a, b] = [Math.min(members[i]!, members[j]!), Math.max(members[i]!, members[j]!)];
      pairs[at] = pairScores[((size - 2) * request.pool + a) * request.pool + b]!;
    }
  }
  const isSum = request.alignment === "sum";
  const top = Math.max(...own);
  const weights = own.map((logit) => (isSum ? 1 : Math.exp(logit - top)));
  const total = isSum ? 1 : weights.reduce((sum, weight) => sum + weight, 0);
  return {
    score: score(problem, sorted, size),
    alignment: own.map((logit, i) => (logit * weights[i]!) / total),
    pairs,
    offset: request.sizeOffsets[size - 1] ?? 0,
  };
}
