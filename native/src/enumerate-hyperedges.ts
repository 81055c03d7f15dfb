import { AnswerColumns } from "./answer-columns.ts";
import type { HyperedgeRequest, SetColumns } from "./hyperedge-kernel.ts";
import { checkCount } from "./check-arguments.ts";
import { checkHyperedgeRequest, type HyperedgeOptions, mostSets, readHyperedgeOptions } from "./hyperedge-request.ts";
import type { Kernels } from "./kernels.ts";
import { enumerateNatively } from "./native/hyperedge.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { enumerateInTypescript } from "./typescript/hyperedge/find-best-sets.ts";

/** The best set is the usual question. */
const defaultCount = 1;

const noNumbers: Float64Array = new Float64Array(0);

/** What is asked of {@link enumerateHyperedges}: the set function, the sets that may be answered, and how many. */
export interface EnumerateHyperedgesOptions extends HyperedgeOptions {
  /** How many sets. Default: 1. */
  readonly count?: number;
  /** Also the distribution over all sets that may be answered; then every set is looked at, whatever the pool. Default: false. */
  readonly distribution?: boolean;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/** The distribution P(E) = e^(F(E) − log Z) over the sets that may be answered. */
export interface HyperedgeDistribution {
  /** log Z, the logarithm of the sum of all e^F; minus infinity when no set may be answered. */
  readonly logPartition: number;
  /** For each candidate of the pool: the probability that it is in the set. */
  readonly inclusion: Float64Array;
  /** For each size from 0 to M: its probability. */
  readonly sizes: Float64Array;
}

/** Sets as columns, best first. */
export interface Hyperedges {
  readonly count: number;
  /** F of each set. */
  readonly scores: Float64Array;
  /** Set s has the members from `offsets[s]` to `offsets[s + 1]`; count + 1 numbers. */
  readonly offsets: Uint32Array;
  /** Positions in the pool, ascending in a set. */
  readonly members: Uint32Array;
  /** When it was asked for; the probability of set s is `Math.exp(scores[s] − logPartition)`. */
  readonly distribution?: HyperedgeDistribution;
}

/**
 * The exact best sets of at most M candidates (HYSET, equation 14, over the score of equation 2): by score, then smaller sets, then
 * lexicographically smaller positions. Small pools are enumerated, large ones searched by branch and bound; the answer is the same to the
 * last bit, whatever the way, the processor and the implementation.
 *
 * F(E) = alignment + Σ_{a<b∈E} G_m[a, b] + c_m for a set of m candidates. The alignment is Σ l (`sum`), or Σ softmax(l)·l over the members
 * (`softmax`, equation 3).
 *
 * Constraints that cannot be kept together, an empty pool and a `count` of 0 have no answers.
 *
 * @param logits l, K numbers.
 * @param pairScores G_2 … G_M, (M − 1) × K × K numbers, each matrix symmetric; what stands above the diagonal is read.
 * @throws {KernelError} `invalid-argument` when an argument has the wrong type, length or range, or a number is NaN, infinite or beyond
 *   1e100; `too-large` when there are more than 1e10 sets, or more than 512 candidates and `maxSize` is above 2, and a distribution is asked
 *   for or bounds do not tell the best sets from the others within some seconds (which may depend on the implementation only there).
 */
export function enumerateHyperedges(
  logits: Float64Array,
  pairScores: Float64Array,
  options: EnumerateHyperedgesOptions = {},
): Hyperedges {
  const { count = defaultCount, distribution: isWeighed, kernels } = checkOptions("options", options);
  const read = readHyperedgeOptions(options);
  const { addon, simd } = givenKernels(kernels);
  const request = checkHyperedgeRequest(logits, pairScores, read);
  checkCount("count", count, { least: 0, most: mostSets });
  const columns = createColumns(request, count, isWeighed === true);
  const found =
    addon === undefined
      ? enumerateInTypescript(request, count, columns)
      : enumerateNatively(addon, simd, request, count, columns);
  const { scores, offsets, members, distribution } = columns;
  const { pool } = request;
  return {
    count: found,
    scores: scores.subarray(0, found),
    offsets: offsets.subarray(0, found + 1),
    members: members.subarray(0, offsets[found]!),
    ...(distribution.length === 0
      ? {}
      : {
          distribution: {
            logPartition: distribution[0]!,
            inclusion: distribution.subarray(1, 1 + pool),
            sizes: distribution.subarray(1 + pool),
          },
        }),
  };
}

function createColumns({ pool, maxSize }: HyperedgeRequest, count: number, distribution: boolean): SetColumns {
  const weighed = distribution ? 1 + pool + maxSize + 1 : 0;
  const columns = new AnswerColumns(count + weighed, count + 1 + count * maxSize);
  return {
    scores: columns.doubles(count),
    distribution: weighed === 0 ? noNumbers : columns.doubles(weighed),
    offsets: columns.words(count + 1),
    members: columns.words(count * maxSize),
  };
}
