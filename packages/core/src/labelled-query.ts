/** A query with the tools that serve it, as a line of `queries.jsonl`. */
export interface LabelledQuery {
  readonly id: string;
  readonly query: string;
  /** Ids of the tools that serve it; empty when none does. */
  readonly tools: readonly string[];
  /** Part, level or domain of the data set. */
  readonly subset?: string;
  /** Ids of the only tools on offer for this query. */
  readonly candidates?: readonly string[];
}
