import { CHANGING_STAGE } from "./call-stage.ts";
import type { RequestClause } from "./request-clauses.ts";

/*
 * Pairwise order of tools x and y of one plan, above 0 where x comes first:
 *
 * B(x, y) = μ · tanh(p_y − p_x) + λ · tanh(4 · (ρ(x, y) − ρ(y, x))) + κ · sign(c_y − c_x)
 *
 * p is where in the request the tool is meant, in its parts from 0, ρ how well an output of one serves an input of the other, c its
 * {@link callStage}. The tool that least needs to come after others is called first, then the next. Each of the three alone is worse than
 * all together (docs/decisions/2026-11-30-planning.md).
 */

/** μ, λ, κ. */
const MENTION = 1;
const LINK = 0.7;
const STAGE = 0.4;
/** What a part that asks for nothing counts for a tool that creates, changes or tells: such a tool is asked for. Others may take what is told. */
const TOLD = 0.1;
/** How steeply the clearest part wins over the others when a tool is placed among them. */
const SHARPNESS = 12;
/** A link of half the largest weight already says nearly all that a link can say. */
const LINK_SLOPE = 4;

/** What is known of the tools of a plan; columns by their place in it. */
export interface OrderEvidence {
  /** {@link mentionPositions}. */
  readonly positions: Float64Array;
  /** {@link callStage} of each. */
  readonly stages: readonly number[];
  /** ρ(x, y) in 0..1: how well an output of x serves an input of y, by their places. */
  readonly support: (before: number, after: number) => number;
}

/** The places of the tools in call order. Equal ones keep the order in which they were given. */
export function orderTools({ positions, stages, support }: OrderEvidence): Uint32Array {
  const count = positions.length;
  const before = new Float64Array(count * count);
  for (let x = 0; x < count; x++) {
    for (let y = x + 1; y < count; y++) {
      const mention = Math.tanh((positions[y] ?? 0) - (positions[x] ?? 0));
      const link = Math.tanh(LINK_SLOPE * (support(x, y) - support(y, x)));
      const stage = Math.sign((stages[y] ?? 0) - (stages[x] ?? 0));
      const sum = MENTION * mention + LINK * link + STAGE * stage;
      // What is no number says nothing.
      const first = Number.isFinite(sum) ? sum : 0;
      before[x * count + y] = first;
      before[y * count + x] = -first;
    }
  }
  const left = new Set(Array.from({ length: count }, (_, place) => place));
  const order: number[] = [];
  while (left.size > 0) {
    const next = mostWanted(left, before, count);
    order.push(next);
    left.delete(next);
  }
  return Uint32Array.from(order);
}

/** Of those left the one that most of the others have to wait for. */
function mostWanted(left: ReadonlySet<number>, before: Float64Array, count: number): number {
  let best = -1;
  let most = -Infinity;
  for (const x of left) {
    let sum = 0;
    for (const y of left) sum += before[x * count + y] ?? 0;
    // A sum of few terms is exact to about 1e-15; nearer than that is equal, and the earlier place wins.
    if (sum > most + 1e-12) [best, most] = [x, sum];
  }
  return best;
}

/**
 * Where in a request each tool is meant: the mean place of the parts, weighed by how alike they are to the tool (softmax), from 0 to the
 * number of parts less 1. What only tells something ("My zip code is 19122.") counts in full for tools that look for something, and little for those
 * that change something.
 *
 * @param likeness Parts × tools, row by row, about 0..1 (cosines).
 * @param parts Of the request, as `requestClauses` gives them.
 * @param stages {@link callStage} of each tool.
 */
export function mentionPositions(
  likeness: Float32Array,
  parts: readonly Pick<RequestClause, "asks">[],
  stages: readonly number[],
): Float64Array {
  return Float64Array.from(stages, (stage, tool) => {
    let total = 0;
    let sum = 0;
    const alike = parts.map((_, place) => likeness[place * stages.length + tool] ?? 0);
    const most = alike.reduce((best, value) => Math.max(best, value), -Infinity);
    for (const [place, { asks }] of parts.entries()) {
      const counted = (asks === "no" || asks === "forbids") && stage >= CHANGING_STAGE ? TOLD : 1;
      const weight = counted * Math.exp(SHARPNESS * (alike[place]! - most));
      total += weight;
      sum += weight * place;
    }
    return total === 0 ? 0 : sum / total;
  });
}
