import type { TokenUse } from "@setwise/core";
import { averagePrecisionAtK, completenessAtK, ndcgAtK, recallAtK } from "./ranking-metrics.ts";
import type { EvaluationReport } from "./report.ts";
import { setMetrics } from "./set-metrics.ts";

export type RankingMetric = keyof EvaluationReport["ranking"];
export type SetMetric = "precision" | "recall" | "f1" | "exactMatch" | "complete";

/** What a pipeline made of one query, as numbers. */
export interface QueryResult {
  readonly id: string;
  readonly subset?: string;
  /** Distinct gold tools that the catalog has. */
  readonly goldSize: number;
  /** NaN where no tool serves the query. */
  readonly ranking: Readonly<Record<RankingMetric, number>>;
  readonly set: Readonly<Record<SetMetric, number>>;
  /** Distinct tools that were selected. */
  readonly size: number;
  readonly tokens: TokenUse;
  readonly latencyMs: number;
  /** For each tool that the pipeline gave a probability above 0.05: that, and whether the tool is in the gold set. */
  readonly beliefs?: readonly Belief[];
  /** 1 when the model behind the pipeline called the right tools, else 0; missing where it was not asked. */
  readonly correctSelection?: number;
}

/** A probability beside what came true. */
export interface Belief {
  readonly probability: number;
  readonly holds: boolean;
}

/** All ranking metrics of one query. */
export function rankingMetrics(ranking: readonly string[], gold: readonly string[]): QueryResult["ranking"] {
  return {
    "recall@1": recallAtK(ranking, gold, 1),
    "recall@3": recallAtK(ranking, gold, 3),
    "recall@5": recallAtK(ranking, gold, 5),
    "recall@10": recallAtK(ranking, gold, 10),
    "ndcg@3": ndcgAtK(ranking, gold, 3),
    "ndcg@5": ndcgAtK(ranking, gold, 5),
    "ndcg@10": ndcgAtK(ranking, gold, 10),
    "completeness@3": completenessAtK(ranking, gold, 3),
    "completeness@5": completenessAtK(ranking, gold, 5),
    "completeness@10": completenessAtK(ranking, gold, 10),
    "map@10": averagePrecisionAtK(ranking, gold, 10),
  };
}

/** All set metrics of one query. */
export function setMetricsOf(selected: readonly string[], gold: readonly string[]): QueryResult["set"] {
  return { ...setMetrics(selected, gold) };
}
