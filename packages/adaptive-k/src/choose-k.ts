import type { CutPolicy, PolicyCut } from "@setwise/core";
import { checkChoice, checkPolicyCut, limits } from "./check-choice.ts";
import { balancedSize, completeSize, type Goal, likeliestSize } from "./goal.ts";
import { limited, withinBudget } from "./limited.ts";
import { coverage, type SetDistribution, setDistribution } from "./set-distribution.ts";
import { lexicalPrior, priorLogits, priorSizeOffsets, type SetPrior } from "./set-prior.ts";

export interface ChooseKOptions {
  /** What the set is for; `complete` by default. */
  readonly goal?: Goal;
  /** Another rule in place of the distribution over sets and the goal: one of `cut-policies.ts` or of the caller's own. */
  readonly policy?: CutPolicy;
  /** How scores become a distribution over sets: {@link lexicalPrior} by default, `hybridPrior` for scores by meaning too. */
  readonly prior?: SetPrior;
  /** How many requests the query makes, 1 by default. */
  readonly requests?: number;
  /** What the words say of the best tool, at least 0 or infinite: `Retrieval.wordEvidence` of `@setwise/retriever`. Only a prior by words heeds it. */
  readonly wordEvidence?: number;
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
}

/** How many tools to keep, and what is known about the choice. */
export interface Cut {
  /** Number of tools kept; 0 says that nothing fits (or that nothing fits the token budget). */
  readonly k: number;
  /** Positions kept, ascending, length k. */
  readonly kept: Uint32Array;
  /** How many of the first of `kept` are the set itself; kept tools behind them are spare, or stand in for what the budget has no room for. */
  readonly coreSize: number;
  /** P(t ∈ E | x) for the first tools, at most {@link POOL_SIZE}. */
  readonly inclusion: Float64Array;
  /** P(|E| = m | x), m = 0 … 5. */
  readonly sizes: Float64Array;
  /** Why so many, in a sentence. */
  readonly reason: string;
}

/** Tools the distribution is taken over: beyond them the probabilities are negligible. */
export const POOL_SIZE = 20;
/** Refuse only when some tool fits with a probability below this: a false refusal fails the agent for certain. */
export const REFUSE_BELOW = 0.2;

/**
 * Chooses how many of the tools with `scores` (length n, best first) to keep, possibly none. O(n) beyond the pool.
 *
 * @throws SetwiseError `invalid-argument` on NaN or infinite scores, scores out of order, limits that are not whole numbers, or a
 *   policy that keeps what there is not; `impossible-constraints` where minK is larger than maxK.
 */
export function chooseK(scores: Float32Array, options: ChooseKOptions = {}): Cut {
  checkChoice(scores, options);
  const nothing = options.probabilityNothingFits ?? 0;
  const prior = options.prior ?? lexicalPrior;
  const logits = priorLogits(prior, scores.subarray(0, POOL_SIZE), options.wordEvidence);
  const offsets = priorSizeOffsets(prior, options.requests ?? 1);
  const distribution = setDistribution(logits, offsets);
  const { minK, maxK } = limits(options);

  // Then no more than the caller insists on.
  const refused = 1 - nothing < REFUSE_BELOW || scores.length === 0;
  const {
    k,
    coreSize = k,
    reason,
  } = refused ? refusal(scores, nothing) : cutOf(scores, { logits, offsets, distribution }, options);
  const wanted = Math.min(Math.max(k, minK), maxK, scores.length);
  const kept = withinBudget(scores.keys(), wanted, options);
  return {
    k: kept.length,
    kept,
    coreSize: kept.filter((position) => position < coreSize).length,
    ...withEmptySet(distribution, nothing),
    reason: `${reason}${limited({ k, kept, wanted }, options)}`,
  };
}

function refusal(scores: Float32Array, nothing: number): PolicyCut {
  const reason =
    scores.length === 0
      ? "There is no candidate."
      : `Nothing fits with a probability of ${Math.round(100 * nothing)} %, more than ${100 * (1 - REFUSE_BELOW)} %.`;
  return { k: 0, reason };
}

/** One query, given that something fits. */
interface Problem {
  readonly logits: Float64Array;
  readonly offsets: Float64Array;
  readonly distribution: SetDistribution;
}

/** What the policy says, or the goal where there is none. */
function cutOf(
  scores: Float32Array,
  { logits, offsets, distribution }: Problem,
  { goal = "complete", policy }: ChooseKOptions,
): PolicyCut {
  if (policy !== undefined) return checkPolicyCut(policy, scores);
  if (goal === "exact") {
    const k = likeliestSize(logits, offsets);
    return { k, reason: `The likeliest set has ${k}.` };
  }
  const coreSize = balancedSize(distribution);
  if (goal === "balanced") return { k: coreSize, reason: `The first ${coreSize} have the largest expected F1.` };
  const covered = coverage(logits, offsets, distribution);
  const k = Math.max(coreSize, completeSize(covered));
  const misses = Math.round(100 * (1 - (covered[k] ?? 1)));
  return {
    k,
    coreSize,
    reason: `The first ${k} miss a tool with a probability of ${misses} %; one more is not worth it.`,
  };
}

/** The empty set with probability `nothing`: all others shrink by the same factor. */
function withEmptySet({ sizes, inclusion }: SetDistribution, nothing: number): Pick<Cut, "sizes" | "inclusion"> {
  const something = 1 - nothing;
  const withNothing = sizes.map((size, m) => (m === 0 ? nothing + something * size : something * size));
  return { sizes: withNothing, inclusion: inclusion.map((probability) => something * probability) };
}
