import type { QueryResult } from "./query-result.ts";

/** How often nothing was selected, where that was right and where it was not. */
export interface Refusals {
  /** Queries that no tool serves, and the share of them for which nothing was selected; 0 without such queries. */
  readonly nothingFits: number;
  readonly refused: number;
  /** Queries that some tool serves, and the share of them for which nothing was selected; 0 without such queries. */
  readonly served: number;
  readonly falselyRefused: number;
}

/** The refusal rates of a pipeline. */
export function refusalsOf(results: readonly QueryResult[]): Refusals {
  const nothingFits = results.filter((result) => result.goldSize === 0);
  const served = results.filter((result) => result.goldSize > 0);
  const empty = (group: readonly QueryResult[]): number =>
    group.filter((result) => result.size === 0).length / Math.max(1, group.length);
  return {
    nothingFits: nothingFits.length,
    refused: empty(nothingFits),
    served: served.length,
    falselyRefused: empty(served),
  };
}
