import type { LabelledQuery, Tool } from "@setwise/core";
import { createCrossEncoder } from "@setwise/encoders";
import { setMetrics } from "@setwise/evaluation";
import { readQueries, readToolsOf, type Split, testSplits } from "./data-sets.ts";
import { encoderLevels } from "./levels.ts";
import { type Answer, ours, rivals } from "./quality-contenders.ts";
import { qualityReport } from "./quality-report.ts";
import { writeSection } from "./report-section.ts";
import { type RankingRow, rankingRow } from "./ranking-row.ts";

/** What a contender makes of one query. */
export interface QueryResult {
  readonly ranking: RankingRow;
  /** F1, exact, complete, size of what is handed over; only ours hand over sets. */
  readonly set: readonly [f1: number, exact: number, complete: number, size: number] | undefined;
  readonly milliseconds: number;
}

/** The results of one contender on one split, in the order of its queries. */
export interface SplitResult {
  readonly split: Split;
  readonly contender: string;
  readonly results: readonly QueryResult[];
}

export interface QualityOptions {
  /** Keeps what transformers encoded from one run to the next. */
  readonly cache?: string | undefined;
  /** A Markdown file whose section is written; the report is printed otherwise. */
  readonly out?: string | undefined;
  /** The folder of a cross-encoder: every level of ours is measured with it as well. */
  readonly reranker?: string | undefined;
}

/** Every level of ours and every rival on the 13 test splits, as a report with intervals. */
export async function quality(
  folder: string,
  print: (line: string) => void,
  { cache, out, reranker: modelFolder }: QualityOptions = {},
): Promise<void> {
  const reranker = modelFolder === undefined ? undefined : await createCrossEncoder(modelFolder);
  const contenders = [...(await rivals(cache)), ...ours(await encoderLevels(cache), reranker)];
  const all: SplitResult[] = [];
  for (const split of testSplits) {
    const { tools } = await readToolsOf(folder, split.dataSet);
    const queries = await readQueries(folder, split);
    for (const { name, open } of contenders) {
      all.push({ split, contender: name, results: await run(await open(tools), tools, queries) });
      process.stderr.write(`${split.dataSet} ${split.split}: ${name}\n`);
    }
  }
  await reranker?.dispose();
  const report = qualityReport(all, { cached: cache !== undefined, reranker: reranker?.name });
  if (out === undefined) {
    print(report);
    return;
  }
  await writeSection(out, "quality", report);
}

async function run(
  answer: (query: LabelledQuery) => Promise<Answer>,
  tools: readonly Tool[],
  queries: readonly LabelledQuery[],
): Promise<QueryResult[]> {
  const known = new Set(tools.map((tool) => tool.id));
  const results: QueryResult[] = [];
  for (const query of queries) {
    const start = performance.now();
    const { ranking, selected } = await answer(query);
    const milliseconds = performance.now() - start;
    const row = rankingRow(ranking, query, (id) => known.has(id));
    if (row === undefined) continue;
    const gold = query.tools.filter((id) => known.has(id));
    const set = selected === undefined ? undefined : setMetrics(selected, gold);
    results.push({
      ranking: row,
      set: set === undefined ? undefined : [set.f1, set.exactMatch, set.complete, selected?.length ?? 0],
      milliseconds,
    });
  }
  return results;
}
