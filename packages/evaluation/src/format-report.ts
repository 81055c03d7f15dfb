import type { Comparison, MetricComparison } from "./compare.ts";
import type { EvaluationReport, NamedGroup } from "./report.ts";

/** Groups past this many are counted, not shown. */
const MOST_GROUPS = 20;
const METRICS = {
  "recall@5": "Recall@5",
  "ndcg@5": "NDCG@5",
  "completeness@5": "COMP@5",
  f1: "F1",
  exactMatch: "exact",
  complete: "complete",
  size: "tools",
  tokensAfter: "tokens",
} as const;

/** What is compared, in words that fit a column. */
export function metricTitle(metric: MetricComparison["metric"]): string {
  return METRICS[metric];
}

/** A report as a table for a terminal, with the comparisons beneath if there are any. */
export function formatReport(report: EvaluationReport, comparisons: readonly Comparison[] = []): string {
  const left =
    report.unknownGold === 0
      ? []
      : [
          `left out: ${report.unknownGold} gold tools that the catalog does not have, ${report.skipped} queries with none left`,
        ];
  return [
    `${clean(report.run.pipeline)}: ${report.queries} queries over ${report.tools} tools`,
    ...left,
    "",
    ...table(
      ["ranking", "@1", "@3", "@5", "@10"],
      [
        ["Recall", ...([1, 3, 5, 10] as const).map((k) => percent(report.ranking[`recall@${k}`]))],
        ["NDCG", "", ...([3, 5, 10] as const).map((k) => percent(report.ranking[`ndcg@${k}`]))],
        ["COMP", "", ...([3, 5, 10] as const).map((k) => percent(report.ranking[`completeness@${k}`]))],
        ["MAP", "", "", "", percent(report.ranking["map@10"])],
      ],
    ),
    "",
    ...groupTable(report),
    "",
    ...facts(report),
    ...comparisons.flatMap((comparison) => ["", ...comparisonTable(comparison)]),
    "",
    provenance(report, comparisons),
  ].join("\n");
}

function groupTable(report: EvaluationReport): readonly string[] {
  const row = (name: string, group: Omit<NamedGroup, "name">): readonly string[] => [
    name,
    String(group.queries),
    ...[group.set.precision, group.set.recall, group.set.f1, group.set.exactMatch, group.set.complete].map(percent),
    group.set.meanSize.toFixed(1),
    group.tokens.after.toFixed(0),
  ];
  const some = report.bySubset.slice(0, MOST_GROUPS);
  const more = report.bySubset.length - some.length;
  return [
    ...table(
      ["selected set", "queries", "P", "R", "F1", "exact", "complete", "tools", "tokens"],
      [
        row("all", report),
        ...report.bySize.map((group) => row(`right set of ${group.name}`, group)),
        ...some.map((group) => row(clean(group.name === "" ? "(no subset)" : group.name), group)),
      ],
    ),
    ...(more > 0 ? [`and ${more} more subsets`] : []),
  ];
}

function facts(report: EvaluationReport): readonly string[] {
  const { refusals, calibration, correctSelection, saved, tokens, latencyMs } = report;
  return [
    `tokens     ${whole(tokens.before)} before, ${whole(tokens.after)} after: ${percent(saved.share)} % saved`,
    ...(saved.costPerThousandQueries === undefined
      ? []
      : [
          `cost       ${saved.costPerThousandQueries.before.toFixed(2)} before, ${saved.costPerThousandQueries.after.toFixed(2)} after, for 1,000 queries`,
        ]),
    `latency    ${latencyMs.p50.toFixed(2)} ms (half of the queries), ${latencyMs.p95.toFixed(2)} ms (95 %)`,
    ...(refusals.nothingFits === 0
      ? []
      : [`refused    ${percent(refusals.refused)} % of ${refusals.nothingFits} that no tool serves`]),
    `falsely    ${percent(refusals.falselyRefused)} % of ${refusals.served} that some tool serves got nothing`,
    ...(calibration === undefined
      ? []
      : [
          `calibrated ECE ${calibration.ece.toFixed(3)}, Brier ${calibration.brier.toFixed(3)} over ${calibration.count} probabilities above ${calibration.leastProbability}`,
        ]),
    ...(correctSelection === undefined
      ? []
      : [
          `CSR        ${percent(correctSelection.rate)} % of ${correctSelection.queries}: exactly the right tools called`,
        ]),
  ];
}

function comparisonTable(comparison: Comparison): readonly string[] {
  const { baseline, challenger, metrics } = comparison;
  return table(
    [`${clean(challenger)} against ${clean(baseline)}`, "before", "now", "difference", "95 % interval", "p (Holm)", ""],
    metrics.map((metric) => {
      const inPercent = metric.metric !== "size" && metric.metric !== "tokensAfter";
      const number = inPercent ? percent : (value: number): string => value.toFixed(1);
      const { mean, low, high } = metric.difference;
      return [
        metricTitle(metric.metric),
        number(metric.baseline),
        number(metric.challenger),
        signed(number(mean)),
        `${signed(number(low))} to ${signed(number(high))}`,
        metric.adjustedP < 0.001 ? "< 0.001" : metric.adjustedP.toFixed(3),
        metric.significant ? "*" : "",
      ];
    }),
  );
}

/** Versions, seeds and tests, in a line: what one must know to have the same numbers again. */
export function provenance({ run }: EvaluationReport, comparisons: readonly Comparison[] = []): string {
  const pairs = (given: Readonly<Record<string, string | number>>): string =>
    Object.entries(given)
      .map(([name, value]) => `${clean(name)} ${clean(String(value))}`)
      .join(", ");
  const [first] = comparisons;
  return [
    `versions: ${pairs(run.versions)}`,
    ...(Object.keys(run.seeds).length === 0 ? [] : [`seeds: ${pairs(run.seeds)}`]),
    ...(first === undefined
      ? []
      : [
          `paired bootstrap of ${first.resamples} (seed ${first.seed}), McNemar where right or wrong, Holm over all rows; * below ${first.significance}`,
        ]),
    ...(run.date === undefined ? [] : [clean(run.date)]),
  ].join("; ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all.map((row) =>
    widths
      .map((width, column) => (column === 0 ? (row[0] ?? "").padEnd(width) : (row[column] ?? "").padStart(width)))
      .join("  ")
      .trimEnd(),
  );
}

const percent = (share: number): string => (100 * share).toFixed(1);
const whole = (value: number): string => Math.round(value).toLocaleString("en");
const signed = (text: string): string =>
  /[1-9]/.test(text) ? (text.startsWith("-") ? `−${text.slice(1)}` : `+${text}`) : text.replace("-", "");

/** Names come from files of others: no control character reaches a terminal, and none is endless. */
function clean(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
  return shown.length > 60 ? `${shown.slice(0, 59)}…` : shown;
}
