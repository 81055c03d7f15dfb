import { rename, writeFile } from "node:fs/promises";
import type { LabelledQuery, Tool } from "@setwise/core";
import { createCachedEncoder, createOnnxEncoder } from "@setwise/encoders";
import { setMetrics } from "@setwise/evaluation";
import { minilmModelFolder } from "@setwise/model-minilm";
import { createSelector, selectorPipeline } from "setwise";
import { readQueries, readToolsOf, type Split, testSplits } from "./data-sets.ts";
import { encoderLevels } from "./levels.ts";
import { qualityReport } from "./quality-report.ts";
import { type RankingRow, rankingRow } from "./ranking-row.ts";
import { dense, keywordMatcher, plainBm25, type Ranker } from "./rivals.ts";

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

/** A way to rank the tools of a list, opened over one. */
interface Contender {
  readonly name: string;
  readonly open: (tools: readonly Tool[]) => Promise<(query: LabelledQuery) => Promise<Answer>>;
}

interface Answer {
  readonly ranking: readonly string[];
  readonly selected?: readonly string[];
}

export interface QualityOptions {
  /** Keeps what transformers encoded from one run to the next. */
  readonly cache?: string | undefined;
  /** A Markdown file to write the report to; it is printed otherwise. */
  readonly out?: string | undefined;
}

/** Every level of ours and every rival on the 13 test splits, as a report with intervals. */
export async function quality(
  folder: string,
  print: (line: string) => void,
  { cache, out }: QualityOptions = {},
): Promise<void> {
  const contenders = [...(await rivals(cache)), ...(await ours(cache))];
  const all: SplitResult[] = [];
  for (const split of testSplits) {
    const { tools } = await readToolsOf(folder, split.dataSet);
    const queries = await readQueries(folder, split);
    for (const { name, open } of contenders) {
      all.push({ split, contender: name, results: await run(await open(tools), tools, queries) });
      process.stderr.write(`${split.dataSet} ${split.split}: ${name}\n`);
    }
  }
  const report = qualityReport(all, { cached: cache !== undefined });
  if (out === undefined) {
    print(report);
    return;
  }
  await writeFile(`${out}.part`, report);
  await rename(`${out}.part`, out);
}

/** Setwise with its defaults, at every level. */
async function ours(cache: string | undefined): Promise<Contender[]> {
  return (await encoderLevels(cache)).map(({ name, encoder }): Contender => ({
    name,
    open: async (tools) => {
      const selector = await createSelector({ tools: tools.map((tool) => tool.original), encoder: encoder ?? "none" });
      return selectorPipeline(selector);
    },
  }));
}

async function rivals(cache: string | undefined): Promise<Contender[]> {
  const transformer = await createOnnxEncoder(minilmModelFolder);
  const encoder = createCachedEncoder(transformer, cache === undefined ? {} : { file: `${cache}/` });
  const rival = (name: string, rank: (tools: readonly Tool[]) => Ranker | Promise<Ranker>): Contender => ({
    name,
    open: async (tools) => {
      const ranker = await rank(tools);
      return async ({ query }) => ({ ranking: await ranker(query) });
    },
  });
  return [
    rival("keywords", keywordMatcher),
    rival("BM25", plainBm25),
    rival("dense MiniLM", (tools) => dense(tools, encoder)),
  ];
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
