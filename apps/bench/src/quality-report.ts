import { type Difference, pairedBootstrap } from "./bootstrap.ts";
import { machine } from "./machine.ts";
import { median } from "./interleave.ts";
import type { SplitResult } from "./quality.ts";
import { mean, meansOf, rankingColumns } from "./ranking-row.ts";

/** Against what the others are compared. */
const FLOOR = "BM25";
/** Our levels, each compared with the one before as well. */
const LEVELS = ["none", "static", "minilm"];

/** The results of all contenders on all splits as Markdown. */
export function qualityReport(all: readonly SplitResult[]): string {
  const contenders = [...new Set(all.map((result) => result.contender))];
  const splits = [...new Set(all.map((result) => nameOf(result)))];
  const of = (contender: string): readonly SplitResult[] => all.filter((result) => result.contender === contender);
  const date = new Date().toISOString().slice(0, 10);
  return [
    "# How good",
    "",
    `Printed by \`node apps/bench/dist/main.mjs quality --data DIR\` (${machine()}; ${date}). Every query against the whole tool list of its data set, in per cent. \`keywords\`, \`BM25\` and \`dense`,
    `MiniLM\` are what people use today, as plain functions; \`none\`, \`static\` (the default) and \`minilm\` are Setwise with that encoder. Constants were chosen on train and dev queries only.`,
    "",
    "## Mean over the test splits",
    "",
    table(
      ["", ...rankingColumns, "mean of the four", `against ${FLOOR} (95 %)`, "against the level before"],
      contenders.map((contender) => {
        const means = meansOfSplits(of(contender));
        const before = LEVELS[LEVELS.indexOf(contender) - 1];
        return [
          contender,
          ...means.map(inPercent),
          inPercent(mean(means)),
          contender === FLOOR ? "" : difference(of(contender), of(FLOOR)),
          before === undefined ? "" : difference(of(contender), of(before)),
        ];
      }),
    ),
    "",
    "## R@5 of each split",
    "",
    table(
      ["split", "queries", ...contenders],
      splits.map((split) => [
        split,
        String(all.find((result) => nameOf(result) === split)?.results.length ?? 0),
        ...contenders.map((contender) => inPercent(columnOf(all, split, contender, 0))),
      ]),
    ),
    "",
    "## C@5 of each split",
    "",
    table(
      ["split", ...contenders],
      splits.map((split) => [split, ...contenders.map((contender) => inPercent(columnOf(all, split, contender, 1)))]),
    ),
    "",
    "## What `select` hands over",
    "",
    "With the goal `complete`, which adds two spare tools: precise sets are not its aim. Means over the splits; the time is the median of a `select`, tools encoded beforehand.",
    "",
    table(
      ["", "F1", "exact", "complete", "tools", "ms"],
      LEVELS.map((level) => {
        const sets = [0, 1, 2, 3].map((column) =>
          mean(of(level).map(({ results }) => mean(results.map(({ set }) => set?.[column] ?? 0)))),
        );
        const times = of(level).flatMap(({ results }) => results.map(({ milliseconds }) => milliseconds));
        return [
          level,
          ...sets.slice(0, 3).map((value) => inPercent(100 * value)),
          (sets[3] ?? 0).toFixed(1),
          median(times).toFixed(2),
        ];
      }),
    ),
    "",
  ].join("\n");
}

function nameOf({ split }: SplitResult): string {
  return `${split.dataSet} ${split.split}`;
}

function meansOfSplits(results: readonly SplitResult[]): readonly number[] {
  const rows = results.map((split) => meansOf(split.results.map(({ ranking }) => ranking)));
  return rankingColumns.map((_, column) => mean(rows.map((row) => row[column] ?? 0)));
}

function columnOf(all: readonly SplitResult[], split: string, contender: string, column: number): number {
  const found = all.find((result) => nameOf(result) === split && result.contender === contender);
  return meansOf(found?.results.map(({ ranking }) => ranking) ?? [])[column] ?? Number.NaN;
}

/** The difference of the mean of the four measures, with its interval. */
function difference(left: readonly SplitResult[], right: readonly SplitResult[]): string {
  const groups = left.map(({ results }, split) =>
    results.map(({ ranking }, query) => {
      const other = right[split]?.results[query]?.ranking ?? ranking;
      return 100 * (mean(ranking) - mean(other));
    }),
  );
  const { mean: middle, low, high }: Difference = pairedBootstrap(groups);
  return `${signed(middle)} (${signed(low)} to ${signed(high)})`;
}

const inPercent = (value: number): string => value.toFixed(1);
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
