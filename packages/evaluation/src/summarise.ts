import { calibrationOf } from "./calibration.ts";
import type { Measurement } from "./measure.ts";
import type { QueryResult, RankingMetric, SetMetric } from "./query-result.ts";
import { refusalsOf } from "./refusals.ts";
import type { EvaluationReport, GroupReport, NamedGroup, RunFacts, Savings } from "./report.ts";

export interface SummariseOptions {
  /** What a million prompt tokens cost, in any currency. */
  readonly pricePerMillionTokens?: number;
  readonly run?: Partial<RunFacts>;
}

/** Gold sets of this size and more are one group: there are few of each. */
const LARGEST_SIZE = 5;

/** The report on one measurement. */
export function summarise(measurement: Measurement, options: SummariseOptions = {}): EvaluationReport {
  const { results, tools, unknownGold, skipped } = measurement;
  const group = groupReport(results);
  const calibration = calibrationOf(results.flatMap(({ beliefs = [] }) => beliefs));
  const asked = results.flatMap(({ correctSelection }) => correctSelection ?? []);
  const subsets = groupsBy(results, (result) => result.subset ?? "");
  return {
    ...group,
    tools,
    unknownGold,
    skipped,
    bySubset: subsets.length > 1 ? subsets : [],
    bySize: groupsBy(results, ({ goldSize }) => (goldSize < LARGEST_SIZE ? String(goldSize) : `${LARGEST_SIZE}+`)),
    saved: savingsOf(group.tokens, options.pricePerMillionTokens),
    refusals: refusalsOf(results),
    ...(calibration.count === 0 ? {} : { calibration }),
    ...(asked.length === 0 ? {} : { correctSelection: { queries: asked.length, rate: mean(asked) } }),
    run: {
      pipeline: "pipeline",
      seeds: {},
      ...options.run,
      versions: { node: process.version, ...options.run?.versions },
    },
  };
}

/** Groups in the order of their names. */
function groupsBy(results: readonly QueryResult[], nameOf: (result: QueryResult) => string): readonly NamedGroup[] {
  const groups = new Map<string, QueryResult[]>();
  for (const result of results) {
    const name = nameOf(result);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [result]);
    else group.push(result);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, group]) => ({ name, ...groupReport(group) }));
}

function groupReport(results: readonly QueryResult[]): GroupReport {
  const served = results.filter((result) => result.goldSize > 0);
  const ranking = (name: RankingMetric): number => mean(served.map((result) => result.ranking[name]));
  const set = (name: SetMetric): number => mean(results.map((result) => result.set[name]));
  const latencies = results.map((result) => result.latencyMs).sort((a, b) => a - b);
  return {
    queries: results.length,
    ranking: {
      "recall@1": ranking("recall@1"),
      "recall@3": ranking("recall@3"),
      "recall@5": ranking("recall@5"),
      "recall@10": ranking("recall@10"),
      "ndcg@3": ranking("ndcg@3"),
      "ndcg@5": ranking("ndcg@5"),
      "ndcg@10": ranking("ndcg@10"),
      "completeness@3": ranking("completeness@3"),
      "completeness@5": ranking("completeness@5"),
      "completeness@10": ranking("completeness@10"),
      "map@10": ranking("map@10"),
    },
    set: {
      precision: set("precision"),
      recall: set("recall"),
      f1: set("f1"),
      exactMatch: set("exactMatch"),
      complete: set("complete"),
      meanSize: mean(results.map((result) => result.size)),
      empty: mean(results.map((result) => Number(result.size === 0))),
    },
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    tokens: {
      before: mean(results.map((result) => result.tokens.before)),
      after: mean(results.map((result) => result.tokens.after)),
    },
  };
}

function savingsOf({ before, after }: GroupReport["tokens"], pricePerMillionTokens: number | undefined): Savings {
  const tokens = before - after;
  const share = before === 0 ? 0 : tokens / before;
  if (pricePerMillionTokens === undefined) return { tokens, share };
  const cost = (count: number): number => (count * 1000 * pricePerMillionTokens) / 1_000_000;
  return {
    tokens,
    share,
    costPerThousandQueries: { before: cost(before), after: cost(after), saved: cost(tokens) },
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
