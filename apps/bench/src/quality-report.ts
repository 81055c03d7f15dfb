import { dataFormat } from "./data-sets.ts";
import { machine } from "./machine.ts";
import { table } from "./markdown-table.ts";
import { median } from "./interleave.ts";
import type { SplitResult } from "./quality.ts";
import { CACHED_LEVEL, FLOOR, levelOf, RIVAL, stepBefore } from "./quality-names.ts";
import { mean, rankingColumns } from "./ranking-row.ts";
import { difference, meansOfSplit, meansOverSplits, resultOf, splitName } from "./split-results.ts";

export interface QualityReportOptions {
  /** Whether a cache on disk was used, so that times of a transformer say nothing. */
  readonly cached: boolean;
  /** The name of the re-ranker, if there was one. */
  readonly reranker?: string | undefined;
}

/** The results of all contenders on all splits as Markdown. */
export function qualityReport(all: readonly SplitResult[], { cached, reranker }: QualityReportOptions): string {
  return [
    "# How good",
    "",
    ...head(),
    ...(reranker === undefined
      ? []
      : [
          "",
          `\`+ rerank\` puts the first 50 candidates of the level in the order of \`${reranker}\`; its level before is that level without.`,
        ]),
    "",
    "## Mean over the test splits",
    "",
    "The mean of the four is compared query by query. In brackets the 95 % interval of the paired bootstrap: queries are drawn anew within each split, the data sets are held fixed. It says how",
    "sure the difference is on these data sets, not what it would be on others.",
    "",
    meansTable(all),
    "",
    "## R@5 of each split",
    "",
    splitTable(all, 0, true),
    "",
    "## C@5 of each split",
    "",
    splitTable(all, 1, false),
    "",
    "## What `select` hands over",
    "",
    `With the goal \`complete\`, which adds spare tools: precise sets are not its aim. Means over the splits; ms is the median of a \`select\`, the query's encoding included, tools encoded beforehand${
      cached ? `; that of \`${CACHED_LEVEL}\` is left out, as its vectors came from a cache` : ""
    }.`,
    "",
    setsTable(all, cached),
    "",
  ].join("\n");
}

function head(): readonly string[] {
  const date = new Date().toISOString().slice(0, 10);
  return [
    `Printed by \`node apps/bench/dist/main.mjs quality --data DIR\` (${machine()}; ${date}). Every query against the whole tool list of its data set, in per cent. \`keywords\`, \`BM25\` and \`dense`,
    `MiniLM\` are what people use today, as plain functions; \`none\`, \`static\` (the default) and \`minilm\` are Setwise with that encoder. Constants were chosen on train and dev queries only.`,
    "",
    "The static table, which `minilm` uses beside the transformer, was fitted on texts, without any label and any test query. Of these data sets it saw the tool texts of seal-tools, ultratool, bfcl and",
    "livemcpbench, and training requests of UltraTool and MetaTool other than those that constants are chosen on; of the others nothing.",
    "",
    "`DIR` holds the public releases of Seal-Tools, UltraTool, MetaTool, BFCL, LiveMCPBench, RestBench, NESTFUL, API-Bank, tau-bench, ToolLens and ToolBench, which are not part of this repository, in one form:",
    `\`${dataFormat}\`.`,
  ];
}

function meansTable(all: readonly SplitResult[]): string {
  const contenders = contendersOf(all);
  const against = (contender: string, other: string | undefined): string =>
    other === undefined || other === contender || !contenders.includes(other) ? "" : difference(all, contender, other);
  return table(
    ["", ...rankingColumns, "mean of the four", `against ${FLOOR}`, `against ${RIVAL}`, "against the level before"],
    contenders.map((contender) => {
      const means = meansOverSplits(all.filter((result) => result.contender === contender));
      return [
        contender,
        ...means.map(inPercent),
        inPercent(mean(means)),
        against(contender, FLOOR),
        against(contender, levelOf(contender) === undefined ? undefined : RIVAL),
        against(contender, stepBefore(contender)),
      ];
    }),
  );
}

function splitTable(all: readonly SplitResult[], column: number, withQueries: boolean): string {
  const contenders = contendersOf(all);
  const splits = [...new Set(all.map(splitName))];
  return table(
    ["split", ...(withQueries ? ["queries"] : []), ...contenders],
    splits.map((split) => {
      const results = contenders.map((contender) => resultOf(all, contender, split));
      const queries = withQueries ? [String(results[0]?.results.length ?? 0)] : [];
      return [split, ...queries, ...results.map((result) => inPercent(meansOfSplit(result)[column] ?? Number.NaN))];
    }),
  );
}

function setsTable(all: readonly SplitResult[], cached: boolean): string {
  const levels = contendersOf(all).filter((contender) => levelOf(contender) !== undefined);
  return table(
    ["", "F1", "exact", "complete", "tools", "ms"],
    levels.map((level) => {
      const splits = all.filter((result) => result.contender === level);
      const sets = [0, 1, 2, 3].map((column) =>
        mean(splits.map(({ results }) => mean(results.map(({ set }) => set?.[column] ?? Number.NaN)))),
      );
      const times = splits.flatMap(({ results }) => results.map(({ milliseconds }) => milliseconds));
      return [
        level,
        ...sets.slice(0, 3).map((value) => inPercent(100 * value)),
        (sets[3] ?? Number.NaN).toFixed(1),
        cached && levelOf(level) === CACHED_LEVEL ? "" : median(times).toFixed(2),
      ];
    }),
  );
}

function contendersOf(all: readonly SplitResult[]): readonly string[] {
  return [...new Set(all.map((result) => result.contender))];
}

const inPercent = (value: number): string => value.toFixed(1);
