import {
  checkCount,
  checkLength,
  checkOneOf,
  checkPositions,
  checkTyped,
  outOfRange,
  wrongType,
} from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import type { Alignment, HyperedgeRequest } from "./hyperedge-kernel.ts";
import type { Read } from "./read-options.ts";

/** Sets hold at most this many: their number grows with K^M. */
export const largestSet = 8;
/** Pools hold at most this many. */
export const largestPool = 1024;
/** The largest logit, pair score or offset, so that no sum of them overflows. */
export const largestValue = 1e100;
/** More sets than this are no answer any more. */
export const mostSets = 65_536;

/** M, unless the caller says another: HYSET's. */
const defaultMaxSize = 5;
/** `sum` is a distribution over sets that trains well; `softmax` is the paper's. */
const defaultAlignment: Alignment = "sum";

const noPositions: Uint32Array = new Uint32Array(0);
const noNumbers: Float64Array = new Float64Array(0);

/** Which sets may be answered. Positions are positions of the pool, or tools where a model is asked. */
export interface SetConstraintOptions {
  /** Every answered set holds all of these. */
  readonly require?: Uint32Array;
  /** No answered set holds any of these. */
  readonly exclude?: Uint32Array;
  /** An answered set holds at most one member of each group. A candidate may be in several groups. */
  readonly groups?: readonly Uint32Array[];
  /** What each candidate costs; together with `maxTokens`. */
  readonly tokens?: Uint32Array;
  /** What a set may cost in all; together with `tokens`. */
  readonly maxTokens?: number;
  /** The largest set answered, when it is to be smaller than M; the length of a ranking. */
  readonly maxTools?: number;
}

/** The quadratic set function and the sets that may be answered; all positions are positions of the pool. */
export interface HyperedgeOptions extends SetConstraintOptions {
  /** M, the largest set that is scored, 1 to 8. Default: 5. */
  readonly maxSize?: number;
  /** Default: `sum`. */
  readonly alignment?: Alignment;
  /** c_1 … c_M, added to every set of that size; minus infinity forbids a size. Default: zeros. */
  readonly sizeOffsets?: Float64Array;
  /** c_0, the score of the empty set. Default: the empty set takes no part. */
  readonly emptyScore?: number;
}

/** Reads what constrains sets. */
export function readSetConstraints(options: SetConstraintOptions): Read<SetConstraintOptions> {
  const { require, exclude, groups, tokens, maxTokens, maxTools } = options;
  return { require, exclude, groups: readGroups(groups), tokens, maxTokens, maxTools };
}

function readGroups(groups: readonly Uint32Array[] | undefined): readonly Uint32Array[] | undefined {
  return Array.isArray(groups) ? Array.from(groups as readonly Uint32Array[]) : groups;
}

/** Reads what makes a set function, and what constrains sets. */
export function readHyperedgeOptions(options: HyperedgeOptions): Read<HyperedgeOptions> {
  const { maxSize, alignment, sizeOffsets, emptyScore } = options;
  const { require, exclude, groups, tokens, maxTokens, maxTools } = options;
  // Spreading would cost a small call a microsecond.
  return {
    maxSize,
    alignment,
    sizeOffsets,
    emptyScore,
    require,
    exclude,
    groups: readGroups(groups),
    tokens,
    maxTokens,
    maxTools,
  };
}

/** Checks all arguments, once, and fills in the defaults. */
export function checkHyperedgeRequest(
  logits: Float64Array,
  pairScores: Float64Array,
  options: Read<HyperedgeOptions>,
  givenPool?: number,
): HyperedgeRequest {
  const setFunction = checkSetFunction(options);
  const { maxSize } = setFunction;
  // The numbers themselves are checked where they are read: they are many.
  const checkedLogits = checkTyped("logits", logits, "Float64Array");
  const pool = givenPool ?? checkedLogits.length;
  checkCount(givenPool === undefined ? "logits.length" : "pool", pool, { least: 0, most: largestPool });
  const queries = pool === 0 ? 1 : checkedLogits.length / pool;
  if (!Number.isInteger(queries)) {
    throw outOfRange("logits", `a length that is a multiple of the ${pool} candidates`, checkedLogits.length);
  }
  const checkedPairs = checkTyped("pairScores", pairScores, "Float64Array");
  const pairs = (maxSize - 1) * pool * pool;
  if (checkedPairs.length !== pairs && checkedPairs.length !== queries * pairs) {
    const shape = `${queries === 1 ? "" : `${queries} × `}(${maxSize} − 1) × ${pool} × ${pool}`;
    throw outOfRange("pairScores", `a length of ${shape}`, checkedPairs.length);
  }
  const constraints = checkSetConstraints(options, pool);
  return { pool, logits: checkedLogits, pairScores: checkedPairs, ...setFunction, ...constraints };
}

/** Checks what makes a set function of logits and pair scores. */
export function checkSetFunction(
  options: Read<Pick<HyperedgeOptions, "maxSize" | "alignment" | "sizeOffsets" | "emptyScore">>,
): Pick<HyperedgeRequest, "maxSize" | "alignment" | "sizeOffsets" | "emptyScore"> {
  const { maxSize = defaultMaxSize, alignment = defaultAlignment, emptyScore } = options;
  checkCount("maxSize", maxSize, { least: 1, most: largestSet });
  checkOneOf("alignment", alignment, ["sum", "softmax"]);
  const sizeOffsets =
    options.sizeOffsets === undefined ? noNumbers : checkTyped("sizeOffsets", options.sizeOffsets, "Float64Array");
  if (sizeOffsets !== noNumbers) checkSizeOffsets(sizeOffsets, maxSize);
  if (emptyScore !== undefined && !(typeof emptyScore === "number" && Math.abs(emptyScore) <= largestValue)) {
    throw outOfRange("emptyScore", "a number from −1e100 to 1e100", emptyScore);
  }
  return { maxSize, alignment, sizeOffsets, emptyScore: emptyScore ?? Number.NaN };
}

function checkSizeOffsets(sizeOffsets: Float64Array, maxSize: number): void {
  checkLength("sizeOffsets", sizeOffsets, maxSize, "one for each size");
  const position = sizeOffsets.findIndex((c) => !(Math.abs(c) <= largestValue || c === Number.NEGATIVE_INFINITY));
  if (position < 0) return;
  const got = `${sizeOffsets[position]} at position ${position}`;
  throw outOfRange("sizeOffsets", "numbers from -1e100 to 1e100 or -Infinity", got);
}

/** Checks constraints over `count` candidates. */
export function checkSetConstraints(
  options: Read<SetConstraintOptions>,
  count: number,
): Pick<HyperedgeRequest, "require" | "exclude" | "groupEnds" | "groupMembers" | "tokens" | "maxTokens" | "maxTools"> {
  const { maxTokens = Number.POSITIVE_INFINITY, maxTools = largestPool } = options;
  checkCount("maxTools", maxTools, { least: 0, most: Number.MAX_SAFE_INTEGER });
  if (!(typeof maxTokens === "number" && maxTokens >= 0))
    throw outOfRange("maxTokens", "a number of 0 or more", maxTokens);
  if (options.tokens === undefined && maxTokens !== Number.POSITIVE_INFINITY) {
    throw new KernelError("invalid-argument", "maxTokens: give `tokens` as well, what each candidate costs.");
  }
  if (options.tokens !== undefined && options.maxTokens === undefined) {
    throw new KernelError("invalid-argument", "tokens: give `maxTokens` as well, what a set may cost in all.");
  }
  const tokens = options.tokens === undefined ? noPositions : checkTyped("tokens", options.tokens, "Uint32Array");
  if (tokens !== noPositions) checkLength("tokens", tokens, count, "one for each candidate");
  const { groupEnds, groupMembers } = checkGroups(options.groups ?? [], count);
  return {
    require: checkPositions("require", options.require ?? noPositions, count),
    exclude: checkPositions("exclude", options.exclude ?? noPositions, count),
    groupEnds,
    groupMembers,
    tokens,
    // Tokens are whole numbers.
    maxTokens: Math.floor(maxTokens),
    maxTools: Math.min(maxTools, count, largestPool),
  };
}

function checkGroups(
  groups: readonly Uint32Array[],
  pool: number,
): Pick<HyperedgeRequest, "groupEnds" | "groupMembers"> {
  if (!Array.isArray(groups)) throw wrongType("groups", "an array of Uint32Arrays", groups);
  if (groups.length === 0) return { groupEnds: noPositions, groupMembers: noPositions };
  const checked = groups.map((group: Uint32Array, i) => checkPositions(`groups[${i}]`, group, pool));
  const groupEnds = new Uint32Array(groups.length);
  let end = 0;
  for (const [i, group] of checked.entries()) groupEnds[i] = end += group.length;
  const groupMembers = new Uint32Array(end);
  for (const [i, group] of checked.entries()) groupMembers.set(group, groupEnds[i]! - group.length);
  return { groupEnds, groupMembers };
}
