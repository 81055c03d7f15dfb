import { AnswerColumns } from "./answer-columns.ts";
import { checkK } from "./check-arguments.ts";
import { checkHyperedgeRequest, type HyperedgeOptions, readHyperedgeOptions } from "./hyperedge-request.ts";
import type { Kernels } from "./kernels.ts";
import { rankNatively } from "./native/marginal-gain.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { rankInTypescript } from "./typescript/hyperedge/marginal-gain.ts";

/** What is asked of {@link rankByMarginalGain}: the set function, the constraints, and how far to rank. */
export interface MarginalGainOptions extends HyperedgeOptions {
  /** K, when there are several queries, one behind the other. Default: all logits are one query's. */
  readonly pool?: number;
  /** How many to rank at most. Default: all. */
  readonly k?: number;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/** Rankings as columns of equal length, one query behind the other, first chosen first. */
export interface MarginalGainRankings {
  /** Positions in the pool. */
  readonly ids: Uint32Array;
  /** How much each raised the score: F after this step less F before it; before the first, F is `emptyScore` or 0. */
  readonly gains: Float64Array;
  /** F of the members up to each. */
  readonly scores: Float64Array;
  /** Query q has the entries from `offsets[q]` to `offsets[q + 1]`; queries + 1 numbers. */
  readonly offsets: Uint32Array;
}

/**
 * Ranks candidates greedily: each step adds the one with which the set scores best (HYSET, section 3.4), the lower position where
 * scores are equal. Beyond M members the last pair matrix and offset are used on, which the paper does not define.
 *
 * No size that `sizeOffsets` forbids is passed: a ranking ends before it.
 *
 * Constraints hold all along, the same for every query: the required candidates come first, in the order of their gain, one of a
 * group at most, and what does not fit the budget is passed over. A ranking is empty when the required ones cannot be had together.
 *
 * @param logits l, queries × K numbers.
 * @param pairScores G_2 … G_M, each matrix symmetric: queries × (M − 1) × K × K numbers, or (M − 1) × K × K for all queries over one
 *   pool. Only the rows of members are read.
 * @throws {KernelError} `invalid-argument` when an argument has the wrong type, length or range, or a number that is looked at is
 *   NaN or infinite (a size offset also where it is not looked at).
 */
export function rankByMarginalGain(
  logits: Float64Array,
  pairScores: Float64Array,
  options: MarginalGainOptions = {},
): MarginalGainRankings {
  const { pool: givenPool, k: most, kernels } = checkOptions("options", options);
  const read = readHyperedgeOptions(options);
  const { addon, simd } = givenKernels(kernels);
  const request = checkHyperedgeRequest(logits, pairScores, read, givenPool);
  const { pool } = request;
  const k = most ?? pool;
  checkK(k);
  const queries = pool === 0 ? 1 : request.logits.length / pool;
  const room = queries * Math.min(k, request.maxTools);
  const answer = new AnswerColumns(2 * room, room + queries + 1);
  const columns = answer.doubles(2 * room);
  const ids = answer.words(room);
  const offsets = answer.words(queries + 1);
  if (addon === undefined) rankInTypescript(request, ids, columns, offsets);
  else rankNatively(addon, simd, request, ids, columns, offsets);
  const count = offsets[queries]!;
  return {
    ids: ids.subarray(0, count),
    gains: columns.subarray(0, count),
    scores: columns.subarray(room, room + count),
    offsets,
  };
}
