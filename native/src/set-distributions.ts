import { AnswerColumns } from "./answer-columns.ts";
import { checkCount, checkLength, checkTyped, outOfRange } from "./check-arguments.ts";
import type { Kernels } from "./kernels.ts";
import { distributeNatively } from "./native/set-distributions.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { distributeInTypescript } from "./typescript/set-distributions.ts";

export interface SetDistributionsOptions {
  /** K, when there are several queries, one behind the other. Default: all logits are one query's. */
  readonly pool?: number;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/** What is known of the sets of each query, one query behind the other. */
export interface SetDistributions {
  /** P(|E| = m), queries × (M + 1). */
  readonly sizes: Float64Array;
  /** P(t ∈ E), queries × K. */
  readonly inclusion: Float64Array;
  /** P(t ∈ E, |E| = m), queries × K × (M + 1). */
  readonly inclusionBySize: Float64Array;
  /** log Z of each query; −Infinity where no size is possible, and then all probability lies on the empty set. */
  readonly logZ: Float64Array;
}

/** The arguments of {@link setDistributions}, checked. */
export interface SetDistributionRequest {
  readonly logits: Float64Array;
  readonly sizeOffsets: Float64Array;
  readonly queries: number;
  readonly pool: number;
  /** M + 1. */
  readonly width: number;
}

/** Sets of more tools than this are not of use, and the work grows with the square. */
const LARGEST_SET = 64;
const MOST_CANDIDATES = 65_536;

/**
 * The distribution over sets P(E) ∝ exp(Σ_{t∈E} l_t + c_|E|) of each query, |E| ≤ M, exact by elementary symmetric polynomials: no set is
 * ever listed. For functions with pair terms see {@link enumerateHyperedges}.
 *
 * @param logits l, queries × K finite numbers, in any order.
 * @param sizeOffsets c_0 … c_M of each query, queries × (M + 1) numbers; `-Infinity` rules a size out.
 * @throws {KernelError} `invalid-argument` when an argument has the wrong type, length or range, or a number is NaN or infinite.
 */
export function setDistributions(
  logits: Float64Array,
  sizeOffsets: Float64Array,
  options: SetDistributionsOptions = {},
): SetDistributions {
  const { pool: givenPool, kernels } = checkOptions("options", options);
  const { addon } = givenKernels(kernels);
  const request = checkRequest(logits, sizeOffsets, givenPool);
  const { queries, pool, width } = request;
  const lengths = [queries * width, queries * pool, queries * pool * width, queries] as const;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const columns = new AnswerColumns(total, 0).doubles(total);
  if (addon === undefined) distributeInTypescript(request, columns);
  else distributeNatively(addon, request, columns);
  let at = 0;
  const [sizes, inclusion, inclusionBySize, logZ] = lengths.map((length) => columns.subarray(at, (at += length)));
  return { sizes: sizes!, inclusion: inclusion!, inclusionBySize: inclusionBySize!, logZ: logZ! };
}

function checkRequest(
  givenLogits: Float64Array,
  givenOffsets: Float64Array,
  givenPool: number | undefined,
): SetDistributionRequest {
  const logits = checkTyped("logits", givenLogits, "Float64Array");
  const offsets = checkTyped("sizeOffsets", givenOffsets, "Float64Array");
  const pool = givenPool ?? logits.length;
  checkCount("pool", pool, { least: givenPool === undefined ? 0 : 1, most: MOST_CANDIDATES });
  const queries = givenPool === undefined ? 1 : logits.length / pool;
  checkLength("logits", logits, Math.ceil(queries) * pool, `a multiple of the pool, ${pool}`);
  const width = offsets.length / queries;
  if (queries > 0 && (!Number.isInteger(width) || width < 1 || width > LARGEST_SET + 1)) {
    throw outOfRange("sizeOffsets", `a length of ${queries} times M + 1, with M up to ${LARGEST_SET}`, offsets.length);
  }
  const unusable = logits.findIndex((logit) => !Number.isFinite(logit));
  if (unusable >= 0) throw outOfRange("logits", "finite numbers", logits[unusable]);
  for (const offset of offsets) {
    if (!(offset < Infinity)) throw outOfRange("sizeOffsets", "finite numbers or -Infinity", offset);
  }
  return { logits, sizeOffsets: offsets, queries, pool, width: queries > 0 ? width : 1 };
}
