import { evaluate, type EvaluationReport } from "@setwise/evaluation";
import { createSelector, selectorPipeline } from "setwise";
import { readQueries, readToolsOf, testSplits } from "./data-sets.ts";

const columns: readonly (readonly [string, (report: EvaluationReport) => number])[] = [
  ["R@5", (report) => report.ranking["recall@5"]],
  ["C@5", (report) => report.ranking["completeness@5"]],
  ["N@10", (report) => report.ranking["ndcg@10"]],
  ["R@10", (report) => report.ranking["recall@10"]],
  ["C@10", (report) => report.ranking["completeness@10"]],
  ["F1", (report) => report.set.f1],
  ["exact", (report) => report.set.exactMatch],
  ["complete", (report) => report.set.complete],
  ["empty", (report) => report.set.empty],
];

/** What `setwise evaluate` finds on the 13 test splits, one line a split, in percent; the last line is the mean over splits. */
export async function quality(folder: string, print: (line: string) => void): Promise<void> {
  print(
    ["split".padEnd(28), ...columns.map(([name]) => name.padStart(8)), "size".padStart(6), "p50 ms".padStart(8)].join(
      " ",
    ),
  );
  const rows: number[][] = [];
  for (const one of testSplits) {
    const selector = await createSelector({
      tools: (await readToolsOf(folder, one.dataSet)).tools.map((tool) => tool.original),
    });
    const queries = await readQueries(folder, one);
    const toolIds = selector.catalog.tools.map((tool) => tool.id);
    const report = await evaluate(selectorPipeline(selector), queries, { toolIds });
    rows.push(columns.map(([, value]) => 100 * value(report)));
    const numbers = (rows.at(-1) ?? []).map((value) => value.toFixed(1).padStart(8));
    print(
      [
        `${one.dataSet} ${one.split}`.padEnd(28),
        ...numbers,
        report.set.meanSize.toFixed(1).padStart(6),
        report.latencyMs.p50.toFixed(2).padStart(8),
      ].join(" "),
    );
  }
  const means = columns.map((_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length);
  print(["mean".padEnd(28), ...means.map((value) => value.toFixed(1).padStart(8))].join(" "));
}
