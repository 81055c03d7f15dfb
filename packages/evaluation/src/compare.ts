import { SetwiseError } from "@setwise/core";
import { holm } from "./holm.ts";
import { type McNemar, mcnemar } from "./mcnemar.ts";
import type { Measurement } from "./measure.ts";
import { type BootstrapOptions, type Difference, pairedBootstrap, RESAMPLES, SEED } from "./paired-bootstrap.ts";
import type { QueryResult } from "./query-result.ts";

/** What pipelines are compared by. Each metric is one more chance of a false alarm, so there are few. */
export type ComparedMetric =
  | "recall@5"
  | "ndcg@5"
  | "completeness@5"
  | "f1"
  | "exactMatch"
  | "complete"
  | "size"
  | "tokensAfter";

const valuesOf: Readonly<Record<ComparedMetric, (result: QueryResult) => number>> = {
  "recall@5": (result) => result.ranking["recall@5"],
  "ndcg@5": (result) => result.ranking["ndcg@5"],
  "completeness@5": (result) => result.ranking["completeness@5"],
  f1: (result) => result.set.f1,
  exactMatch: (result) => result.set.exactMatch,
  complete: (result) => result.set.complete,
  size: (result) => result.size,
  tokensAfter: (result) => result.tokens.after,
};

/** Metrics that are 0 or 1 for each query: these are tested by McNemar's test. */
const yesOrNo: ReadonlySet<string> = new Set<ComparedMetric>(["completeness@5", "exactMatch", "complete"]);

/** A difference that chance alone makes this rarely is called one. */
const SIGNIFICANCE = 0.05;

export interface CompareOptions extends BootstrapOptions {
  /** 0.05 by default. */
  readonly significance?: number;
}

/** One metric of two pipelines. */
export interface MetricComparison {
  readonly metric: ComparedMetric;
  /** Queries that both have a value for. */
  readonly queries: number;
  readonly baseline: number;
  readonly challenger: number;
  /** Challenger minus baseline, by the paired bootstrap. */
  readonly difference: Difference;
  /** For metrics that are right or wrong; `onlyFirst` is the baseline. */
  readonly mcnemar?: McNemar;
  /** McNemar's p-value where there is one, else the bootstrap's, but none that so few queries cannot give. */
  readonly p: number;
  /** `p` after Holm, over all metrics and challengers of this comparison. */
  readonly adjustedP: number;
  readonly significant: boolean;
}

/** One pipeline against the baseline. */
export interface Comparison {
  readonly baseline: string;
  readonly challenger: string;
  readonly metrics: readonly MetricComparison[];
  /** Of the bootstrap, so that it can be repeated. */
  readonly resamples: number;
  readonly seed: number;
  readonly significance: number;
}

/** A measurement under the name of its pipeline. */
export interface NamedMeasurement {
  readonly name: string;
  readonly measurement: Measurement;
}

/**
 * Compares pipelines with a baseline, query by query: paired bootstrap for means, McNemar's test for what is right or wrong, Holm's
 * adjustment over everything that was looked at. A metric that no query has a value for is left out.
 *
 * @throws SetwiseError `invalid-argument` when two measurements are not of the same queries in the same order, over as many tools.
 */
export function compare(
  baseline: NamedMeasurement,
  challengers: readonly NamedMeasurement[],
  options: CompareOptions = {},
): readonly Comparison[] {
  const { significance = SIGNIFICANCE, resamples = RESAMPLES, seed = SEED } = options;
  const bootstrap = { resamples, seed };
  const raw = challengers.map((challenger) => {
    const pairs = pairsOf(baseline, challenger);
    return Object.keys(valuesOf)
      .map((metric) => compareMetric(metric as ComparedMetric, pairs, bootstrap))
      .filter(({ queries }) => queries > 0);
  });
  const adjusted = holm(raw.flat().map(({ p }) => p));
  let at = 0;
  return raw.map((metrics, index) => ({
    baseline: baseline.name,
    challenger: challengers[index]?.name ?? "",
    metrics: metrics.map((metric) => {
      const adjustedP = adjusted[at++] ?? Number.NaN;
      return { ...metric, adjustedP, significant: adjustedP < significance };
    }),
    ...bootstrap,
    significance,
  }));
}

type Pair = readonly [baseline: QueryResult, challenger: QueryResult];

function pairsOf(baseline: NamedMeasurement, challenger: NamedMeasurement): readonly Pair[] {
  const [before, now] = [baseline.measurement.tools, challenger.measurement.tools];
  if (before !== now) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected ${baseline.name} and ${challenger.name} to be measured over the same tools, but the one chose from ${before} and the other from ${now}. Measure both with the same list.`,
    );
  }
  const others = challenger.measurement.results;
  const pairs = baseline.measurement.results.map((result, index): Pair => {
    const other = others[index];
    if (other?.id !== result.id || other.goldSize !== result.goldSize) {
      throw new SetwiseError(
        "invalid-argument",
        `Expected ${baseline.name} and ${challenger.name} to be measured on the same queries over the same tools; number ${index + 1} is "${result.id}" (${result.goldSize} gold tools) of the one and ${other === undefined ? "missing" : `"${other.id}" (${other.goldSize})`} of the other. Measure both with the same list.`,
        { position: index },
      );
    }
    return [result, other];
  });
  if (others.length > pairs.length) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected as many queries of ${challenger.name} as of ${baseline.name}, ${pairs.length}, but there are ${others.length}. Measure both with the same list.`,
    );
  }
  return pairs;
}

function compareMetric(
  metric: ComparedMetric,
  pairs: readonly Pair[],
  bootstrap: BootstrapOptions,
): Omit<MetricComparison, "adjustedP" | "significant"> {
  const valueOf = valuesOf[metric];
  const values = pairs
    .map(([baseline, challenger]) => [valueOf(baseline), valueOf(challenger)] as const)
    .filter(([baseline, challenger]) => !Number.isNaN(baseline) && !Number.isNaN(challenger));
  const difference = pairedBootstrap([values.map(([baseline, challenger]) => challenger - baseline)], bootstrap);
  const test = yesOrNo.has(metric)
    ? mcnemar(
        values.filter(([baseline, challenger]) => baseline > challenger).length,
        values.filter(([baseline, challenger]) => baseline < challenger).length,
      )
    : undefined;
  return {
    metric,
    queries: values.length,
    baseline: values.reduce((sum, [baseline]) => sum + baseline, 0) / values.length,
    challenger: values.reduce((sum, [, challenger]) => sum + challenger, 0) / values.length,
    difference,
    ...(test === undefined ? {} : { mcnemar: test }),
    p: test?.p ?? Math.max(difference.p, leastP(values)),
  };
}

/**
 * The least p of an exact paired test: all n differences, whose signs are even odds if nothing differs, have one sign, 2 · 2^−n. Resampling two
 * queries that agree knows nothing of this.
 */
function leastP(values: readonly (readonly [number, number])[]): number {
  const differing = values.filter(([baseline, challenger]) => baseline !== challenger).length;
  return Math.min(1, 2 ** (1 - differing));
}
