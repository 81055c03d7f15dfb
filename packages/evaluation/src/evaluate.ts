import { setImmediate } from "node:timers/promises";
import { type LabelledQuery, SetwiseError, type TokenUse } from "@setwise/core";
import { averagePrecisionAtK, completenessAtK, ndcgAtK, recallAtK } from "./ranking-metrics.ts";
import type { EvaluationReport } from "./report.ts";
import { setMetrics } from "./set-metrics.ts";

/** What a pipeline says to one query. */
export interface PipelineAnswer {
  /** Tool ids, best first: the full ranking, at least ten where there are as many. */
  readonly ranking: readonly string[];
  /** Tool ids the pipeline would hand to an agent. */
  readonly selected: readonly string[];
  readonly tokens: TokenUse;
}

/** Any way from a query to tools. */
export type Pipeline = (query: LabelledQuery) => PipelineAnswer | Promise<PipelineAnswer>;

export interface EvaluateOptions {
  /** Ids of all tools the pipeline knows. */
  readonly toolIds: Iterable<string>;
  /** Called after each query. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** Milliseconds from any fixed moment; `performance.now` by default. */
  readonly now?: () => number;
}

/** One query's answer beside the gold tools that the catalog has. */
interface Row {
  readonly answer: PipelineAnswer;
  readonly gold: readonly string[];
  readonly latencyMs: number;
}

/**
 * Runs `pipeline` over labelled queries, one at a time, and reports means over queries (macro averages).
 *
 * @throws SetwiseError `invalid-argument` when there is no query to evaluate, `aborted` when the signal fires.
 */
export async function evaluate(
  pipeline: Pipeline,
  queries: readonly LabelledQuery[],
  options: EvaluateOptions,
): Promise<EvaluationReport> {
  const now = options.now ?? (() => performance.now());
  const known = new Set(options.toolIds);
  const rows: Row[] = [];
  let unknownGold = 0;
  let skipped = 0;
  for (const [index, query] of queries.entries()) {
    if (options.signal?.aborted) throw new SetwiseError("aborted", `Evaluation was stopped after ${index} queries.`);
    const gold = query.tools.filter((id) => known.has(id));
    unknownGold += query.tools.length - gold.length;
    if (gold.length === 0 && query.tools.length > 0) {
      skipped += 1;
    } else {
      const start = now();
      const answer = await pipeline(query);
      rows.push({ answer, gold, latencyMs: now() - start });
    }
    options.onProgress?.(index + 1, queries.length);
    // Lets signals and timers in, of which one may stop this loop: a pipeline that only computes never would.
    await setImmediate();
  }
  if (rows.length === 0) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected queries whose gold tools are in the catalog; of ${queries.length} queries none has one. Check that queries and tools belong together.`,
    );
  }
  return { queries: rows.length, tools: known.size, ...meansOf(rows), unknownGold, skipped };
}

/** The means over all rows, of which there is at least one. */
function meansOf(rows: readonly Row[]): Pick<EvaluationReport, "ranking" | "set" | "latencyMs" | "tokens"> {
  const served = rows.filter((row) => row.gold.length > 0);
  const ranked = (
    metric: (ranking: readonly string[], gold: readonly string[], k: number) => number,
    k: number,
  ): number => mean(served.map((row) => metric(row.answer.ranking, row.gold, k)));
  const sets = rows.map((row) => setMetrics(row.answer.selected, row.gold));
  const latencies = rows.map((row) => row.latencyMs).sort((a, b) => a - b);
  return {
    ranking: {
      "recall@1": ranked(recallAtK, 1),
      "recall@3": ranked(recallAtK, 3),
      "recall@5": ranked(recallAtK, 5),
      "recall@10": ranked(recallAtK, 10),
      "ndcg@3": ranked(ndcgAtK, 3),
      "ndcg@5": ranked(ndcgAtK, 5),
      "ndcg@10": ranked(ndcgAtK, 10),
      "completeness@3": ranked(completenessAtK, 3),
      "completeness@5": ranked(completenessAtK, 5),
      "completeness@10": ranked(completenessAtK, 10),
      "map@10": ranked(averagePrecisionAtK, 10),
    },
    set: {
      precision: mean(sets.map((set) => set.precision)),
      recall: mean(sets.map((set) => set.recall)),
      f1: mean(sets.map((set) => set.f1)),
      exactMatch: mean(sets.map((set) => set.exactMatch)),
      complete: mean(sets.map((set) => set.complete)),
      meanSize: mean(rows.map((row) => row.answer.selected.length)),
      empty: mean(rows.map((row) => Number(row.answer.selected.length === 0))),
    },
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    tokens: {
      before: mean(rows.map((row) => row.answer.tokens.before)),
      after: mean(rows.map((row) => row.answer.tokens.after)),
    },
  };
}

/** Mean of `values`; 0 for none, as when no query is served by any tool. */
function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least a share `q` of the ascending `sorted` values does not exceed. */
function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}
