/** What `evaluate` finds, and what `setwise evaluate --json` prints. Shares are in 0..1, means over queries. */
export interface EvaluationReport {
  readonly queries: number;
  readonly tools: number;
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
  /** Gold tools that the catalog does not have; they are left out of the gold sets. */
  readonly unknownGold: number;
  /** Queries left out because the catalog has none of their gold tools. */
  readonly skipped: number;
}
