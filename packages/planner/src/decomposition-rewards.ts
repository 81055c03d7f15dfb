/*
 * How good a decomposition y of a context x is (MagicSelector, section 3.2 to 3.4), for scoring decomposers and for training one elsewhere:
 *
 * R_cf   = λ_ndcg · max(0, N_atom − N_raw) + λ_full · (1[G ⊆ T_atom] − 1[G ⊆ T_raw])
 * R_pref = σ(s(x, y) − s(x, y*))                                                           equation 5
 * R      = α · R_pref + β · R_cf                                                           equation 6
 * A_i    = (R_i − mean(R)) / (std(R) + ε)   over the candidates of one context             equation 7
 *
 * The paper gives no values for the four weights: all are 1 unless the caller says otherwise.
 */

/** What a retrieved list is worth at some K: `ndcgAtK` and `completenessAtK` of `@setwise/evaluation`, both in 0..1. */
export interface RetrievalQuality {
  /** N: NDCG@K of the list. */
  readonly ndcg: number;
  /** 1[G ⊆ T]: 1 when the list holds every right tool, else 0. */
  readonly complete: number;
}

export interface CounterfactualWeights {
  /** λ_ndcg. */
  readonly ndcgWeight?: number;
  /** λ_full. */
  readonly completeWeight?: number;
}

/** R_cf: what the sub-tasks find beyond what the request as it stands finds. A worse order costs nothing, a lost tool does. */
export function counterfactualReward(
  atomised: RetrievalQuality,
  raw: RetrievalQuality,
  { ndcgWeight = 1, completeWeight = 1 }: CounterfactualWeights = {},
): number {
  return ndcgWeight * Math.max(0, atomised.ndcg - raw.ndcg) + completeWeight * (atomised.complete - raw.complete);
}

/** R_pref in 0..1: how much better a judge finds the candidate than the reference; .5 for equals. */
export function preferenceReward(score: number, referenceScore: number): number {
  return 1 / (1 + Math.exp(referenceScore - score));
}

export interface RewardWeights {
  /** α. */
  readonly preferenceWeight?: number;
  /** β. */
  readonly counterfactualWeight?: number;
}

/** R. */
export function decompositionReward(
  preference: number,
  counterfactual: number,
  { preferenceWeight = 1, counterfactualWeight = 1 }: RewardWeights = {},
): number {
  return preferenceWeight * preference + counterfactualWeight * counterfactual;
}

/** ε keeps a group of equal rewards from dividing by zero. */
const EPSILON = 1e-8;

/** A_i of each candidate of one context (GRPO), with the standard deviation of the group as a whole (÷ B); zeros where all are equal. */
export function groupAdvantages(rewards: readonly number[]): readonly number[] {
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / (rewards.length || 1);
  const variance = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / (rewards.length || 1);
  const deviation = Math.sqrt(variance) + EPSILON;
  return rewards.map((reward) => (reward - mean) / deviation);
}

/**
 * The share of sub-tasks, in 0..1, that say again what an earlier one says: equal once case, punctuation and the order of words are
 * ignored. It shows a decomposer that repeats itself in order to be found. 0 without sub-tasks.
 */
export function duplicateRate(goals: readonly string[]): number {
  const distinct = new Set(goals.map(bagOfWords));
  return goals.length === 0 ? 0 : (goals.length - distinct.size) / goals.length;
}

function bagOfWords(goal: string): string {
  return [...new Set(goal.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].sort().join(" ");
}

/** A context with decompositions and what each is worth. */
export interface RewardedGroup {
  readonly context: string;
  readonly candidates: readonly { readonly goals: readonly string[]; readonly reward: number }[];
}

/** One line of preference data: of two decompositions of a context the better and the worse one, each with a goal a line. */
export interface PreferencePair {
  readonly prompt: string;
  readonly chosen: string;
  readonly rejected: string;
  readonly margin: number;
}

/**
 * Preference data for training elsewhere: of each group the best candidate against every one that is worth less by `leastMargin` (.05)
 * or more. Ties for the best go to the first.
 */
export function preferencePairs(groups: readonly RewardedGroup[], leastMargin = 0.05): readonly PreferencePair[] {
  return groups.flatMap(({ context, candidates }) => {
    const best = candidates.reduce<(typeof candidates)[number] | undefined>(
      (chosen, candidate) => (chosen !== undefined && chosen.reward >= candidate.reward ? chosen : candidate),
      undefined,
    );
    if (best === undefined) return [];
    return candidates
      .filter((candidate) => best.reward - candidate.reward >= leastMargin)
      .map((candidate) => ({
        prompt: context,
        chosen: best.goals.join("\n"),
        rejected: candidate.goals.join("\n"),
        margin: best.reward - candidate.reward,
      }));
  });
}
