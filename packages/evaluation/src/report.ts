import type { Calibration } from "./calibration.ts";
import type { Refusals } from "./refusals.ts";

/** Means over one group of queries. Shares are in 0..1. */
export interface GroupReport {
  readonly queries: number;
  /** Over the pipeline's full ranking and the queries that some tool serves. */
  readonly ranking: {
    readonly "recall@1": number;
    readonly "recall@3": number;
    readonly "recall@5": number;
    readonly "recall@10": number;
    readonly "ndcg@3": number;
    readonly "ndcg@5": number;
    readonly "ndcg@10": number;
    readonly "completeness@3": number;
    readonly "completeness@5": number;
    readonly "completeness@10": number;
    readonly "map@10": number;
  };
  /** Over what the pipeline selects, for all queries. */
  readonly set: {
    readonly precision: number;
    readonly recall: number;
    readonly f1: number;
    readonly exactMatch: number;
    readonly complete: number;
    readonly meanSize: number;
    /** Share of queries for which nothing was selected. */
    readonly empty: number;
  };
  readonly latencyMs: { readonly p50: number; readonly p95: number };
  /** Mean tokens of all tools and of the selected ones. */
  readonly tokens: { readonly before: number; readonly after: number };
}

/** What `evaluate` finds, and what `setwise evaluate --json` prints. Means are over queries (macro averages). */
export interface EvaluationReport extends GroupReport {
  readonly tools: number;
  /** Gold tools that the catalog does not have; they are left out of the gold sets. */
  readonly unknownGold: number;
  /** Queries left out because the catalog has none of their gold tools. */
  readonly skipped: number;
  /** By the query's `subset`, where there is more than one; queries without one are under "". */
  readonly bySubset: readonly NamedGroup[];
  /** By the number of gold tools: "0", "1", … "4", "5+". */
  readonly bySize: readonly NamedGroup[];
  /** What is saved of the definitions' tokens, and of their price where one was given. */
  readonly saved: Savings;
  readonly refusals: Refusals;
  /** Missing when the pipeline gives no probabilities worth counting. */
  readonly calibration?: Calibration;
  /** Correct selection rate: how often the model called exactly the right tools. Missing when none was asked. */
  readonly correctSelection?: { readonly queries: number; readonly rate: number };
  readonly run: RunFacts;
}

export interface NamedGroup extends GroupReport {
  readonly name: string;
}

export interface Savings {
  /** Mean tokens a query. */
  readonly tokens: number;
  /** Share of the tokens before, in 0..1; 0 where there were none. */
  readonly share: number;
  /** For 1,000 queries, in the currency of the price; missing without a price. */
  readonly costPerThousandQueries?: { readonly before: number; readonly after: number; readonly saved: number };
}

/** What one must know to have the same numbers again. */
export interface RunFacts {
  readonly pipeline: string;
  /** Versions of whatever matters, such as `{ setwise: "0.1.0", node: "v20.20.2" }`. */
  readonly versions: Readonly<Record<string, string>>;
  /** Seeds by what they are for. */
  readonly seeds: Readonly<Record<string, number>>;
  /** When it was run, if the caller says so. */
  readonly date?: string;
}
