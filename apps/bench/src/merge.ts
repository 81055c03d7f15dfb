import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { type Catalog, createCatalog, type Encoder, type LabelledQuery, type Tool } from "@setwise/core";
import {
  mergeCoverage,
  type MergedCatalog,
  mergeTools,
  sampleCalls,
  type ToolCall,
  type ToolVectors,
} from "@setwise/merger";
import { buildIndex, embeddedText, embedTools, encodeQuery, retrieve } from "@setwise/retriever";
import { loadTools } from "setwise";
import { readQueries } from "./data-sets.ts";
import { encoderLevels } from "./levels.ts";
import { fitEvidence } from "./merge-fit.ts";
import { pairQuality } from "./merge-pairs.ts";
import { mergeSpeed } from "./merge-speed.ts";
import { suspects } from "./merge-suspects.ts";
import { columns, percent } from "./merge-table.ts";
import { meansOf, type RankingRow, rankingRow } from "./ranking-row.ts";

/** Data sets that are merged, with the split of queries that shows what it does to ranking. */
const SETS: readonly { readonly name: string; readonly split?: string }[] = [
  { name: "bfcl", split: "test" },
  { name: "seal-tools", split: "test_in_domain" },
  { name: "ultratool", split: "test" },
  { name: "toolbench", split: "test600" },
  { name: "mcp" },
  { name: "all" },
];
/** The set of all others together: what a catalog that has grown by copying is like. */
const ALL = "all";
/** Queries of a split that are asked, evenly spaced where there are more. */
const MOST_QUERIES = 1000;
const ASKED = 10;

export interface MergeBenchmarkOptions {
  readonly cache?: string | undefined;
  /** A file the suspects are written to. */
  readonly out?: string | undefined;
  /** `merge-pairs.jsonl`. */
  readonly pairs?: string | undefined;
  /** The half of the pairs: `dev` by default; with `fit` the weights of evidence are fitted on the `dev` half and on pairs of our own; with `speed` only time is measured. */
  readonly half?: string | undefined;
}

/** Labelled pairs, tools before and after, coverage, ranking before and after, time, and clusters that a person should read. */
export async function merge(
  folder: string,
  print: (line: string) => void,
  { cache, out, pairs, half = "dev" }: MergeBenchmarkOptions = {},
): Promise<void> {
  if (half === "speed") return mergeSpeed(folder, print);
  if (pairs !== undefined && half === "fit") return fitEvidence(folder, pairs, print);
  if (pairs !== undefined) await pairQuality(pairs, half, print);
  const levels = await encoderLevels(cache);
  print("\n## Catalogs\n");
  print(
    columns(
      "data,encoder,tools,after,tokens,after,pairs judged,seconds,of CPU,calls,call coverage,capability coverage,rare (≤ 3),again".split(
        ",",
      ),
    ),
  );
  print(columns(Array.from({ length: 14 }, () => "---")));
  const ranking: string[] = [];
  const suspected: string[] = [];
  for (const { name, split } of SETS) {
    const catalog = name === ALL ? await allTools(folder) : createCatalog(await toolsOf(folder, name));
    const queries = name === ALL ? await allQueries(folder) : await queriesOf(folder, name, split);
    for (const level of levels) {
      const vectors = level.encoder === undefined ? undefined : await vectorsOf(catalog, level.encoder);
      const options = vectors === undefined ? {} : { vectors };
      const start = performance.now();
      const startCpu = process.cpuUsage();
      const merged = await mergeTools(catalog, options);
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(startCpu);
      const cpuSeconds = (user + system) / 1e6;
      const again = await mergeTools(merged.catalog, merged.vectors === undefined ? {} : { vectors: merged.vectors });
      print(
        columns([
          name,
          level.name,
          ...row(catalog, merged, queries, [seconds, cpuSeconds]),
          String(again.clusters.length),
        ]),
      );
      if (queries.length > 0) {
        const before = await rank(catalog, queries, level.encoder, (id) => id);
        const after = await rank(merged.catalog, queries, level.encoder, (id) => merged.newIdOf(id) ?? id);
        ranking.push(
          columns([name, level.name, ...before.flatMap((mean, i) => [mean.toFixed(1), (after[i] ?? 0).toFixed(1)])]),
        );
      }
      suspected.push(`\n# ${name}, ${level.name}`, ...suspectLines(catalog, merged));
    }
  }
  print("\n## Ranking before and after, labels translated\n");
  print(columns("data,encoder,R@5,after,C@5,after,NDCG@10,after,C@10,after".split(",")));
  print(columns(Array.from({ length: 10 }, () => "---")));
  ranking.forEach(print);
  if (out === undefined) suspected.forEach(print);
  else await writeFile(out, suspected.join("\n"));
}

async function toolsOf(folder: string, name: string): Promise<readonly Tool[]> {
  const { tools } = await loadTools([name === "mcp" ? join(folder, name) : join(folder, name, "tools.jsonl")]);
  return tools;
}

/** The tools of all sets in one catalog, their ids with the set before them. */
async function allTools(folder: string): Promise<Catalog> {
  const names = SETS.map(({ name }) => name).filter((name) => name !== ALL);
  const lists = await Promise.all(names.map((name) => toolsOf(folder, name)));
  return createCatalog(
    lists.flatMap((tools, place) => tools.map((tool) => ({ ...tool, id: `${names[place]}/${tool.id}` }))),
  );
}

function queriesOf(folder: string, dataSet: string, split: string | undefined): Promise<readonly LabelledQuery[]> {
  return split === undefined ? Promise.resolve([]) : readQueries(folder, { dataSet, split }, MOST_QUERIES);
}

/** The queries of all sets that have some, about the tools of `allTools`. */
async function allQueries(folder: string): Promise<readonly LabelledQuery[]> {
  const lists = await Promise.all(
    SETS.map(async ({ name, split }) => {
      const queries = await queriesOf(folder, name, split);
      return queries.map((query) => ({ ...query, tools: query.tools.map((id) => `${name}/${id}`) }));
    }),
  );
  return lists.flat();
}

async function vectorsOf({ tools }: Catalog, encoder: Encoder): Promise<ToolVectors> {
  const values = await encoder.encode(tools.map(embeddedText));
  return { values, dimensions: encoder.dimensions, encoder: encoder.name };
}

function row(
  catalog: Catalog,
  merged: MergedCatalog,
  queries: readonly LabelledQuery[],
  seconds: readonly number[],
): readonly string[] {
  const { before, after, judged } = merged.report;
  const validators = new Map<string, Validator>();
  const isValid = (id: string, given: Readonly<Record<string, unknown>>): boolean => {
    const schema = catalog.tools[catalog.ordinalOf(id) ?? -1]?.inputSchema ?? {};
    const validator = validators.get(id) ?? new Validator(schema, "2020-12", false);
    validators.set(id, validator);
    return validator.validate(given).valid;
  };
  const calls = callsOf(catalog, queries).filter((call) => isValid(call.tool, call.arguments ?? {}));
  const coverage = mergeCoverage(merged, calls, isValid);
  return [
    String(before.tools),
    String(after.tools),
    String(before.tokens),
    String(after.tokens),
    String(judged),
    ...seconds.map((value) => value.toFixed(2)),
    String(coverage.calls),
    percent(coverage.callCoverage, 1),
    percent(coverage.capabilityCoverage, 1),
    percent(coverage.rareCoverage, 1),
  ];
}

/**
 * Sample calls of every tool that a query is labelled with, once for each label; of every tool once where there are no queries, and of a
 * server's tools.
 */
function callsOf(catalog: Catalog, queries: readonly LabelledQuery[]): readonly ToolCall[] {
  const labels = queries.flatMap((query) => query.tools);
  const others = catalog.tools.filter((tool) => queries.length === 0 || tool.server !== undefined);
  const ids = [...labels, ...others.map((tool) => tool.id)];
  return ids.flatMap((id) => {
    const tool = catalog.tools[catalog.ordinalOf(id) ?? -1];
    return tool === undefined ? [] : sampleCalls(tool);
  });
}

async function rank(
  catalog: Catalog,
  queries: readonly LabelledQuery[],
  encoder: Encoder | undefined,
  translate: (id: string) => string,
): Promise<readonly number[]> {
  const words = buildIndex(catalog);
  const index = encoder === undefined ? words : await embedTools(words, encoder);
  const rows: RankingRow[] = [];
  for (const query of queries) {
    const vectors = encoder === undefined ? undefined : await encodeQuery(index, encoder, query.query);
    const { ids } = retrieve(index, query.query, { k: ASKED, ...(vectors === undefined ? {} : { vectors }) });
    const ranking = Array.from(ids, (ordinal) => catalog.tools[ordinal]?.id ?? "");
    const labels = { ...query, tools: [...new Set(query.tools.map(translate))] };
    const found = rankingRow(ranking, labels, (id) => catalog.ordinalOf(id) !== undefined);
    if (found !== undefined) rows.push(found);
  }
  return meansOf(rows);
}

const SHOWN = 140;

function suspectLines(catalog: Catalog, merged: MergedCatalog): readonly string[] {
  return suspects(catalog, merged).flatMap(({ why, tools }) => [
    `- ${why}`,
    ...tools.map(({ id, description, inputSchema }) => {
      const names = Object.keys((inputSchema["properties"] as object | undefined) ?? {});
      return `    ${id} | ${description.replace(/\s+/g, " ").slice(0, SHOWN)} | ${names.join(", ")}`;
    }),
  ]);
}
