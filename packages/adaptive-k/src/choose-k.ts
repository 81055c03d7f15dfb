import { SetwiseError } from "@setwise/core";
import { boundaryK } from "./boundary.ts";
import { balancedSize, type Goal, likeliestSize, SPARE_TOOLS } from "./goal.ts";
import { type SetDistribution, setDistribution } from "./set-distribution.ts";
import { lexicalPrior, priorLogits, priorSizeOffsets, type SetPrior } from "./set-prior.ts";

export interface ChooseKOptions {
  /** `distribution` (default): from the distribution over sets. `boundary`: MagicSelector's rule, as published. */
  readonly policy?: "distribution" | "boundary";
  /** What the set is for; `complete` by default. Ignored by `boundary`. */
  readonly goal?: Goal;
  /** How scores become a distribution over sets: {@link lexicalPrior} by default, `hybridPrior` for scores by meaning too. */
  readonly prior?: SetPrior;
  /** How many requests the query makes, 1 by default. */
  readonly requests?: number;
  /** P(∅ | x): how probable it is that no tool fits, in 0..1; 0 by default. */
  readonly probabilityNothingFits?: number;
  /** Fewest tools to keep, 0 by default; with 1 or more the answer is never 'nothing fits'. */
  readonly minK?: number;
  /** Most tools to keep, 10 by default. */
  readonly maxK?: number;
  /** What each tool costs, length n; needed with `maxTokens`. */
  readonly tokens?: Uint32Array;
  /** Most tokens the kept tools may cost together. A tool that does not fit is passed over, not the ones behind it. */
  readonly maxTokens?: number;
  /** Cosine of each tool's embedding with the next one's, length n − 1, for `boundary`. */
  readonly similarities?: Float32Array;
}

/** How many tools to keep, and what is known about the choice. */
export interface Cut {
  /** Number of tools kept; 0 says that nothing fits (or that nothing fits the token budget). */
  readonly k: number;
  /** Positions kept, ascending, length k. */
  readonly kept: Uint32Array;
  /** How many of the first positions are the set itself; kept tools behind them are spare. */
  readonly coreSize: number;
  /** P(t ∈ E | x) for the first tools, at most {@link POOL_SIZE}. */
  readonly inclusion: Float64Array;
  /** P(|E| = m | x), m = 0 … 5. */
  readonly sizes: Float64Array;
}

/** Tools the distribution is taken over: beyond them the probabilities are negligible. */
export const POOL_SIZE = 20;
const DEFAULT_MAX_K = 10;
/** Refuse only when some tool fits with a probability below this: a false refusal fails the agent for certain. */
export const REFUSE_BELOW = 0.2;

/**
 * Chooses how many of the tools with `scores` (length n, best first) to keep, possibly none. O(n) beyond the pool.
 *
 * @throws SetwiseError `invalid-argument` on NaN or infinite scores, scores out of order, or limits that are not whole numbers.
 */
export function chooseK(scores: Float32Array, options: ChooseKOptions = {}): Cut {
  checkScores(scores);
  checkOptions(scores, options);
  const requests = options.requests ?? 1;
  const nothing = options.probabilityNothingFits ?? 0;
  const pool = scores.subarray(0, POOL_SIZE);
  const prior = options.prior ?? lexicalPrior;
  const logits = priorLogits(prior, pool);
  const offsets = priorSizeOffsets(prior, requests);
  const distribution = withEmptySet(logits, offsets, nothing);
  const { minK, maxK } = limits(options);

  // Then no more than the caller insists on.
  const refused = 1 - nothing < REFUSE_BELOW || scores.length === 0;
  const coreSize = refused ? 0 : coreOf(scores, logits, offsets, distribution, options);
  const spare = (options.goal ?? "complete") === "complete" && options.policy !== "boundary" ? SPARE_TOOLS : 0;
  const wanted = Math.min(refused ? minK : Math.max(coreSize + spare, minK), maxK, scores.length);
  const kept = withinBudget(wanted, scores.length, options);
  return {
    k: kept.length,
    kept,
    coreSize: Math.min(coreSize, maxK),
    inclusion: distribution.inclusion,
    sizes: distribution.sizes,
  };
}

/** The distribution in which the empty set has probability `nothing`: c_0 = logit(nothing) + log Z of the others. */
function withEmptySet(logits: Float64Array, offsets: Float64Array, nothing: number): SetDistribution {
  const others = setDistribution(logits, offsets);
  if (nothing === 0 || others.logZ === -Infinity) return others;
  const withNothing = Float64Array.from(offsets, (offset) => (nothing === 1 ? -Infinity : offset));
  withNothing[0] = nothing === 1 ? 0 : Math.log(nothing) - Math.log1p(-nothing) + others.logZ;
  return setDistribution(logits, withNothing);
}

function coreOf(
  scores: Float32Array,
  logits: Float64Array,
  offsets: Float64Array,
  distribution: SetDistribution,
  options: ChooseKOptions,
): number {
  if (options.policy === "boundary") return boundaryK(scores, options.similarities);
  if (options.goal === "exact") return likeliestSize(logits, offsets);
  return balancedSize(distribution);
}

/** The first `wanted` positions whose tokens fit into the budget together. */
function withinBudget(wanted: number, available: number, options: ChooseKOptions): Uint32Array {
  const { maxTokens, tokens } = options;
  const kept: number[] = [];
  let spent = 0;
  for (let position = 0; position < available && kept.length < wanted; position++) {
    const cost = maxTokens === undefined ? 0 : (tokens?.[position] ?? 0);
    if (maxTokens !== undefined && spent + cost > maxTokens) continue;
    spent += cost;
    kept.push(position);
  }
  return Uint32Array.from(kept);
}

function limits(options: ChooseKOptions): { readonly minK: number; readonly maxK: number } {
  const minK = options.minK ?? 0;
  return { minK, maxK: options.maxK ?? Math.max(DEFAULT_MAX_K, minK) };
}

function checkScores(scores: Float32Array): void {
  if (!(scores instanceof Float32Array)) {
    throw new SetwiseError(
      "invalid-argument",
      "Scores must be a Float32Array, best first; make one with Float32Array.from(list).",
    );
  }
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] ?? Number.NaN;
    if (!Number.isFinite(score)) {
      throw new SetwiseError("invalid-argument", `Scores must be finite numbers, but score ${i} is ${score}.`);
    }
    if (i > 0 && score > (scores[i - 1] ?? 0)) {
      throw new SetwiseError(
        "invalid-argument",
        `Scores must be given best first, but score ${i} (${score}) is larger than the one before it.`,
      );
    }
  }
}

const choices = { policy: ["distribution", "boundary"], goal: ["complete", "balanced", "exact"] } as const;

function checkOptions(scores: Float32Array, options: ChooseKOptions): void {
  for (const name of ["minK", "maxK", "maxTokens", "requests"] as const) {
    const value = options[name];
    if (value !== undefined && (!Number.isInteger(value) || value < 0)) {
      throw new SetwiseError("invalid-argument", `${name} must be a whole number of at least 0, but it is ${value}.`);
    }
  }
  for (const name of ["policy", "goal"] as const) {
    const value: string | undefined = options[name];
    const expected: readonly string[] = choices[name];
    if (value !== undefined && !expected.includes(value)) {
      throw new SetwiseError("invalid-argument", `${name} must be one of ${expected.join(", ")}, but it is ${value}.`);
    }
  }
  const { minK, maxK } = limits(options);
  if (minK > maxK) {
    throw new SetwiseError("impossible-constraints", `minK (${minK}) must not be larger than maxK (${maxK}).`);
  }
  const nothing = options.probabilityNothingFits ?? 0;
  if (!(nothing >= 0 && nothing <= 1)) {
    throw new SetwiseError("invalid-argument", `probabilityNothingFits must lie in 0..1, but it is ${nothing}.`);
  }
  checkLength("tokens", options.tokens?.length, scores.length, options.maxTokens !== undefined);
  checkLength("similarities", options.similarities?.length, Math.max(scores.length - 1, 0), false);
  if (options.similarities?.every(Number.isFinite) === false) {
    throw new SetwiseError("invalid-argument", "similarities must be finite numbers, but they are not.");
  }
}

function checkLength(name: string, length: number | undefined, expected: number, needed: boolean): void {
  if (length === undefined ? needed : length !== expected) {
    throw new SetwiseError(
      "invalid-argument",
      `${name} must have ${expected} entries, but it has ${length ?? "none"}.`,
    );
  }
}
