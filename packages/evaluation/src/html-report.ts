import { differenceBars, groupBars, reliabilityDiagram } from "./charts.ts";
import type { Comparison } from "./compare.ts";
import { metricTitle, provenance } from "./format-report.ts";
import { escaped, htmlTable } from "./html-text.ts";
import type { EvaluationReport, NamedGroup } from "./report.ts";

/** Groups past this many make a page nobody reads. */
const MOST_GROUPS = 50;

/** Nothing is fetched and nothing runs: the page forbids itself both, should a name of a tool or query get past the escaping. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--quiet:#66707f;--line:#d5dae1;--bar:#9fc3e8;--dark:#2f6fb0;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--quiet:#98a2b0;--line:#3a4452;--bar:#3f6f9f;--dark:#7db4ea;--paper:#151a21}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}p,footer{color:var(--quiet)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:right;font-weight:400;white-space:nowrap}
thead th{color:var(--quiet)}th[scope=row]{text-align:left}td b{font-weight:600}
svg{max-width:100%;height:auto;display:block;margin:.8rem 0}svg text{font-size:12px;fill:var(--ink)}svg .small{font-size:10px;fill:var(--quiet)}
.bar{fill:var(--bar)}.dark{fill:var(--dark)}.dot{fill:var(--dark)}.open{fill:var(--paper);stroke:var(--dark)}.axis,.interval{stroke:var(--quiet)}.interval{stroke-width:2}
div.wide{overflow-x:auto}
`.trim();

/** A report, and comparisons if there are any, as one HTML file that needs no network and runs no script. */
export function htmlReport(report: EvaluationReport, comparisons: readonly Comparison[] = []): string {
  const title = `${escaped(report.run.pipeline)}: ${report.queries} queries over ${report.tools} tools`;
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body>`,
    `<h1>${title}</h1>`,
    leftOut(report),
    section(
      "What an agent is given",
      setTable(report),
      groupBars(report.bySize),
      "F1 above, complete below, by size of the right set.",
    ),
    ...(report.bySubset.length === 0
      ? []
      : [section("By subset", groupBars(report.bySubset.slice(0, MOST_GROUPS)), moreGroups(report))]),
    section("Ranking", rankingTable(report)),
    section("Cost", factsTable(report)),
    ...(report.calibration === undefined
      ? []
      : [
          section(
            "How far its probabilities can be trusted",
            reliabilityDiagram(report.calibration),
            `ECE ${report.calibration.ece.toFixed(3)}, Brier ${report.calibration.brier.toFixed(3)}, over ${report.calibration.count} probabilities above ${report.calibration.leastProbability}.`,
          ),
        ]),
    ...comparisons.map(comparisonSection),
    `<footer><p>${escapedLong(provenance(report, comparisons))}</p></footer>`,
    "</body></html>",
    "",
  ].join("\n");
}

function section(title: string, ...parts: readonly string[]): string {
  const shown = parts.filter((part) => part !== "");
  const blocks = shown.map((part) => (part.startsWith("<") ? `<div class="wide">${part}</div>` : `<p>${part}</p>`));
  return `<section><h2>${title}</h2>${blocks.join("")}</section>`;
}

function leftOut({ unknownGold, skipped }: EvaluationReport): string {
  if (unknownGold === 0) return "";
  return `<p>Left out: ${unknownGold} gold tools that the catalog does not have, ${skipped} queries with none left.</p>`;
}

function moreGroups({ bySubset }: EvaluationReport): string {
  return bySubset.length > MOST_GROUPS ? `And ${bySubset.length - MOST_GROUPS} more subsets.` : "";
}

function setTable(report: EvaluationReport): string {
  const row = (name: string, { set, queries, tokens }: Omit<NamedGroup, "name">): readonly string[] => [
    name,
    String(queries),
    ...[set.precision, set.recall, set.f1, set.exactMatch, set.complete, set.empty].map(percent),
    set.meanSize.toFixed(1),
    tokens.after.toFixed(0),
  ];
  return htmlTable(
    ["", "queries", "precision", "recall", "F1", "exact", "complete", "empty", "tools", "tokens"],
    [
      row("all", report),
      ...report.bySize.map((group) => row(`right set of ${group.name}`, group)),
      ...report.bySubset.slice(0, MOST_GROUPS).map((group) => row(escaped(group.name), group)),
    ],
  );
}

function rankingTable({ ranking }: EvaluationReport): string {
  return htmlTable(
    ["", "@1", "@3", "@5", "@10"],
    [
      ["Recall", ...([1, 3, 5, 10] as const).map((k) => percent(ranking[`recall@${k}`]))],
      ["NDCG", "", ...([3, 5, 10] as const).map((k) => percent(ranking[`ndcg@${k}`]))],
      ["COMP", "", ...([3, 5, 10] as const).map((k) => percent(ranking[`completeness@${k}`]))],
      ["MAP", "", "", "", percent(ranking["map@10"])],
    ],
  );
}

function factsTable({ tokens, saved, latencyMs, refusals, correctSelection }: EvaluationReport): string {
  const { costPerThousandQueries: cost } = saved;
  return htmlTable(
    ["", ""],
    [
      ["tokens of all definitions", tokens.before.toFixed(0)],
      ["tokens of the selected ones", `${tokens.after.toFixed(0)} (${percent(saved.share)} % saved)`],
      ...(cost === undefined
        ? []
        : [["cost of 1,000 queries", `${cost.before.toFixed(2)} before, ${cost.after.toFixed(2)} after`]]),
      ["latency, half and 95 % of the queries", `${latencyMs.p50.toFixed(2)} and ${latencyMs.p95.toFixed(2)} ms`],
      ...(refusals.nothingFits === 0
        ? []
        : [[`refused of ${refusals.nothingFits} that no tool serves`, `${percent(refusals.refused)} %`]]),
      [`falsely refused of ${refusals.served}`, `${percent(refusals.falselyRefused)} %`],
      ...(correctSelection === undefined
        ? []
        : [[`exactly the right tools called, of ${correctSelection.queries}`, `${percent(correctSelection.rate)} %`]]),
    ],
  );
}

function comparisonSection({ baseline, challenger, metrics }: Comparison): string {
  const rows = metrics.map((metric) => {
    const factor = metric.metric === "size" || metric.metric === "tokensAfter" ? 1 : 100;
    const number = (value: number): string => (factor * value).toFixed(1);
    const { mean, low, high } = metric.difference;
    const difference = `${number(mean)} (${number(low)} to ${number(high)})`;
    return [
      metricTitle(metric.metric),
      number(metric.baseline),
      number(metric.challenger),
      metric.significant ? `<b>${difference}</b>` : difference,
      metric.adjustedP < 0.001 ? "&lt; 0.001" : metric.adjustedP.toFixed(3),
    ];
  });
  return section(
    `${escaped(challenger)} against ${escaped(baseline)}`,
    htmlTable(["", escaped(baseline), escaped(challenger), "difference (95 %)", "p (Holm)"], rows),
    differenceBars(metrics),
  );
}

const percent = (share: number): string => (Number.isNaN(share) ? "–" : (100 * share).toFixed(1));

/** A line made of parts that are cut already. */
function escapedLong(text: string): string {
  return text.split("; ").map(escaped).join("; ");
}
