import { completeSize, type Cut, DEFAULT_MAX_K, type Goal, REFUSE_BELOW, withinBudget } from "@setwise/adaptive-k";
import type { Explanation } from "@setwise/core";
import type { Retrieval, ToolIndex } from "@setwise/retriever";
import type { RankingRule, SetScorer, SetScores } from "@setwise/set-scorer";
import type { Constraints } from "./select-options.ts";
import { setQuery } from "./set-query.ts";

/**
 * How often, of a hundred requests, a tool more must make the answer complete, as a share: more than without a model, since a model is surer of its own. Chosen on requests
 * set aside from training, see docs/decisions/2026-11-30-set-prior.md.
 */
const PRICE_OF_A_TOOL = 0.1;
/** Tools behind the model's pool keep their order, with scores below those of the pool. */
const OUTSIDE = 1e-6;

/** What a set model says of one query. */
export interface ModelAnswer {
  readonly scored: SetScores;
  /** The candidates in the model's order, with P(t ∈ E | x) as their score. */
  readonly retrieval: Retrieval;
  /** P(E ⊆ the first k candidates, besides the required tools), for k = 0 …; of the first ones only. */
  covered(): Float64Array;
  /** Why the best set is the best, and what the next ones lack. */
  explain(): Explanation;
}

/** What is asked of a model. */
export interface ModelQuestion {
  readonly text: string;
  readonly constraints: Constraints;
  readonly retrieval: Retrieval;
  readonly vectors: Float32Array;
}

/** Asks the model for the sets of a query; the required tools are in all of them, and not among the candidates. */
export async function askModel(
  index: ToolIndex,
  scorer: SetScorer,
  { text, constraints, retrieval, vectors }: ModelQuestion,
): Promise<ModelAnswer> {
  const { coverageOf, explainSets, rankTools } = await import("@setwise/set-scorer");
  const { required, allowed, maxTokens } = constraints;
  const query = setQuery(index, text, {
    hybrid: retrieval,
    vectors,
    ...(allowed === undefined ? {} : { allow: allowed }),
  });
  const scored = scorer.score(query, {
    ...(required.length === 0 ? {} : { require: Uint32Array.from(required) }),
    ...(allowed === undefined ? {} : { allow: allowed }),
    ...(maxTokens === undefined ? {} : { maxTokens, tokens: index.catalog.tokens }),
  });
  const ordered = inModelOrder(scored, retrieval, required, rankTools);
  const order = Uint32Array.of(...required, ...ordered.ids.filter((id) => scored.pool.includes(id)));
  return {
    scored,
    retrieval: ordered,
    covered: () => coverageOf(scored, order).subarray(required.length),
    // Whether anything fits is said elsewhere, as not the model alone decides it.
    explain: () => explainSets(withTools(scored), { nameOf: (tool) => index.catalog.tools[tool]?.id ?? "" }),
  };
}

/** The sets that have a tool, where there are any. */
function withTools(scored: SetScores): SetScores {
  const best = scored.best.filter(({ ids }) => ids.length > 0);
  return best.length === 0 ? scored : { ...scored, best };
}

/** The pool in the model's order, and behind it what else was found. */
function inModelOrder(
  scored: SetScores,
  retrieval: Retrieval,
  required: readonly number[],
  rank: (scored: SetScores, by?: RankingRule) => { readonly ids: Uint32Array },
): Retrieval {
  const taken = new Set(required);
  const order = [...rank(scored).ids].filter((id) => !taken.has(id));
  const known = new Set(order);
  const rest = [...retrieval.ids].filter((id) => !known.has(id) && !taken.has(id));
  const inclusionOf = new Map(Array.from(scored.pool, (id, at) => [id, scored.inclusion[at] ?? 0]));
  return {
    ...retrieval,
    ids: Uint32Array.from([...order, ...rest]),
    scores: Float32Array.from([
      ...order.map((id) => inclusionOf.get(id) ?? 0),
      ...rest.map((_, place) => OUTSIDE / (place + 1)),
    ]),
  };
}

/** What the caller asks of the size. */
export interface ModelCutOptions {
  readonly goal: Goal;
  readonly minK: number;
  readonly maxK: number | undefined;
  readonly probabilityNothingFits: number;
  readonly required: readonly number[];
  /** What each candidate costs. */
  readonly tokens: Uint32Array;
  readonly maxTokens: number | undefined;
}

/** How many of the candidates to keep; the core of `exact` are the tools of the likeliest set. */
export function cutByModel(answer: ModelAnswer, options: ModelCutOptions): Cut {
  const { scored, retrieval } = answer;
  const { goal, minK, maxK = Math.max(DEFAULT_MAX_K, minK), probabilityNothingFits: nothing, required } = options;
  const refused = 1 - nothing < REFUSE_BELOW || retrieval.ids.length === 0;
  const core = refused ? [] : coreOf(scored, retrieval, goal, required);
  const worthIt = refused || goal !== "complete" ? 0 : completeSize(answer.covered(), PRICE_OF_A_TOOL);
  const wanted = Math.min(Math.max(core.length, worthIt, minK), maxK, retrieval.ids.length);
  const isCore = new Set(core);
  const order = [...core, ...[...retrieval.ids.keys()].filter((position) => !isCore.has(position))];
  const kept = withinBudget(order, wanted, {
    tokens: options.tokens,
    ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
  });
  const inclusion = Float64Array.from(
    retrieval.ids.subarray(0, scored.pool.length),
    (_, place) => retrieval.scores[place] ?? 0,
  );
  return {
    k: kept.length,
    kept,
    coreSize: kept.filter((position) => isCore.has(position)).length,
    inclusion,
    sizes: scored.sizes,
    reason: `The model's set has ${core.length}.`,
  };
}

/** Positions among the candidates of the tools of the set itself. */
function coreOf(scored: SetScores, retrieval: Retrieval, goal: Goal, required: readonly number[]): number[] {
  if (goal === "exact") {
    const best = scored.best.find(({ ids }) => ids.length > 0)?.ids ?? new Uint32Array(0);
    return [...retrieval.ids.keys()].filter((position) => best.includes(retrieval.ids[position] ?? -1));
  }
  return Array.from({ length: balancedSize(scored, retrieval, required.length) }, (_, position) => position);
}

/**
 * The k of the largest 2 Σ_{t ≤ k} P(t ∈ E) / (k + E|E|), the expected F1 of the first k with the size at its expectation. Required tools are in
 * every set, and count beside.
 */
function balancedSize({ expectedSize, pool }: SetScores, { scores }: Retrieval, required: number): number {
  let [sum, best, size] = [0, 0, 0];
  for (let k = 1; k <= Math.min(pool.length, scores.length); k++) {
    sum += scores[k - 1] ?? 0;
    const value = (2 * sum) / (k + Math.max(0, expectedSize - required) || 1);
    if (value > best) [best, size] = [value, k];
  }
  return size;
}
