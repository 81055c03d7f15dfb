import { type Candidates, SetwiseError } from "@setwise/core";
import { rankByMarginalGain } from "@setwise/native";
import { byValue } from "./by-value.ts";
import { checkObject } from "./check-object.ts";
import { coverageOrder } from "./coverage-order.ts";
import type { SetScores } from "./score-sets.ts";

/** How tools are put in order; see {@link rankTools}. */
export type RankingRule = "coverage" | "match" | "marginal-gain" | "inclusion" | "best-set-first";

const rules: readonly RankingRule[] = ["coverage", "match", "marginal-gain", "inclusion", "best-set-first"];

/**
 * One order of the pool's tools, best first, equal ones by lower ordinal:
 * - `coverage` (default): the first three, and then the first five, are the tools of which it is likeliest that they hold the whole right set,
 *   and that hold most of it in expectation; behind them by inclusion. Meant for every measure at once; see `coverage-order.ts`;
 * - `match`: by logit, as if tools were independent;
 * - `marginal-gain`: greedily by what each adds to the score of the set (HYSET, section 3.4);
 * - `inclusion`: by P(t ∈ E | x);
 * - `best-set-first`: the best set's tools by inclusion, then the others by inclusion.
 *
 * Scores are P(t ∈ E | x) for `inclusion`, logits for `match`, and else fall by place from 1 to 0: only their order means something.
 */
export function rankTools(scored: SetScores, by: RankingRule = "coverage"): Candidates {
  checkObject("scored", "what scoreSets or a scorer gives", scored);
  switch (by) {
    case "match":
      return columns(scored, byValue(scored.pool, scored.problem.logits), scored.problem.logits);
    case "inclusion":
      return columns(scored, byValue(scored.pool, scored.inclusion), scored.inclusion);
    case "marginal-gain":
      return columns(scored, completed(scored, marginalGain(scored)));
    case "best-set-first":
      return columns(scored, completed(scored, bestSet(scored)));
    case "coverage":
      return columns(scored, completed(scored, coverageOrder(scored)));
    default:
      throw new SetwiseError("invalid-argument", `by must be one of ${rules.join(", ")}, but it is "${String(by)}".`);
  }
}

function marginalGain({ problem }: SetScores): number[] {
  const { emptyScore: _emptyScore, ...request } = problem.request;
  return Array.from(rankByMarginalGain(problem.logits, problem.pairScores, request).ids);
}

function bestSet({ pool, best, inclusion }: SetScores): number[] {
  const members = new Set(best.find(({ ids }) => ids.length > 0)?.ids);
  return byValue(pool, inclusion).filter((position) => members.has(pool[position] ?? 0));
}

/** `first`, and behind them the other positions by inclusion. */
function completed({ pool, inclusion }: SetScores, first: readonly number[]): number[] {
  const taken = new Set(first);
  return [...first, ...byValue(pool, inclusion).filter((position) => !taken.has(position))];
}

function columns({ pool }: SetScores, order: readonly number[], values?: Float64Array): Candidates {
  return {
    ids: Uint32Array.from(order, (position) => pool[position] ?? 0),
    scores: Float32Array.from(order, (position, place) => values?.[position] ?? 1 - place / order.length),
  };
}
