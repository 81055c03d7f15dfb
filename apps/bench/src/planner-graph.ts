import type { Catalog } from "@setwise/core";
import { buildHypergraph, embedPorts, rankWithNeeds, type ToolHypergraph } from "@setwise/planner";
import { embeddedText } from "@setwise/retriever";
import { readQueries, testSplits } from "./data-sets.ts";
import { linksOfNestful, linksOfToolLinkOs } from "./known-links.ts";
import { type EncoderLevel, encoderLevels } from "./levels.ts";
import { catalogOf, type Dependency, type Half, type PlannedQuery, readLines } from "./link-gold.ts";
import { contextPicker, contextQuality, flatPicker, supportedPicker } from "./planner-graph-context.ts";
import { edgesOfOtherFamilies, preconditionsOf, rankingQuality } from "./planner-graph-dependencies.ts";
import { linkPrecision } from "./planner-graph-links.ts";
import { producerQuality } from "./planner-graph-producers.ts";
import { rankedBy, type Relevance, relevanceOver } from "./planner-graph-relevance.ts";
import { graphSpeed } from "./planner-graph-speed.ts";
import type { PlannerBenchmark } from "./planner.ts";

/** Room in a context. */
const BUDGET = 10;
/** Of ten tools so many are chosen before support is added. */
const CHOSEN = 7;
/** Encoders that support is measured with on all sets: the transformer would take hours for the texts of all their ports. */
const SUPPORT_LEVELS: ReadonlySet<string> = new Set(["none", "static"]);
/** Queries of a split that support is measured on. */
const MOST_QUERIES = 300;
/** Chosen on the dev half of NESTFUL. */
const PRODUCER_SETTING = { leastWeight: 0.01, exponent: 2, tools: 8, floor: 0.01 };
/** Chosen on the train queries of ToolLinkOS. */
const LEARNED = { neighbours: 8, leastWeight: 0.2 };

/** Links, producers, dependencies, context graphs, support and speed, with each encoder. */
export async function plannerGraphRows(benchmark: PlannerBenchmark): Promise<void> {
  const levels = await encoderLevels(benchmark.cache);
  for (const part of [linkRows, producerRows, dependencyRows, contextRows, supportRows, speedRows]) {
    await part(benchmark, levels);
  }
}

type Rows = (benchmark: PlannerBenchmark, levels: readonly EncoderLevel[]) => Promise<void>;

async function graphOf(catalog: Catalog, { encoder }: EncoderLevel): Promise<ToolHypergraph> {
  return buildHypergraph(catalog, encoder === undefined ? {} : { vectors: await embedPorts(catalog.tools, encoder) });
}

const linkRows: Rows = async ({ folder, print }, levels) => {
  print("\n## Predicted links: average precision of pairs of tools\n");
  print("| data | encoder | all | test half (by consumer) |\n| --- | --- | --- | --- |");
  const sets = [
    ["toollinkos", await linksOfToolLinkOs(folder)],
    ["nestful", await linksOfNestful(folder)],
  ] as const;
  for (const [dataSet, links] of sets) {
    const catalog = await catalogOf(folder, dataSet);
    for (const level of levels) {
      const graph = await graphOf(catalog, level);
      const figures = [linkPrecision(graph, links), linkPrecision(graph, links, "test")];
      print(`| ${dataSet} | ${level.name} | ${figures.map(shown).join(" | ")} |`);
    }
  }
};

const producerRows: Rows = async ({ folder, print }, levels) => {
  print("\n## NESTFUL: producers for the gold terminal tools\n");
  print(
    "| encoder | half | queries | F1 | exact | valid order | complete |\n| --- | --- | --- | --- | --- | --- | --- |",
  );
  const catalog = await catalogOf(folder, "nestful");
  const queries = await readLines<PlannedQuery>(folder, "nestful", "queries.test.jsonl");
  for (const level of levels) {
    const graph = await graphOf(catalog, level);
    const relevance = remembered(await relevanceOver(catalog, level.encoder));
    const found = await producerQuality(graph, queries, relevance, PRODUCER_SETTING);
    for (const half of ["dev", "test", "all"]) {
      const rows = found.filter((row) => half === "all" || row.half === half);
      const figures = (["f1", "exact", "ordered", "complete"] as const).map((key) => shown(mean(rows, key)));
      print(`| ${level.name} | ${half} | ${rows.length} | ${figures.join(" | ")} |`);
    }
  }
};

const dependencyRows: Rows = async ({ folder, print }, levels) => {
  print("\n## ToolLinkOS: tools with all that they need, first ten\n");
  print("| encoder | graph | split | mAP | recall | all |\n| --- | --- | --- | --- | --- | --- |");
  const catalog = await catalogOf(folder, "toollinkos");
  const train = await readLines<PlannedQuery>(folder, "toollinkos", "queries.train.jsonl");
  const test = await readLines<PlannedQuery>(folder, "toollinkos", "queries.test.jsonl");
  const dependencies = await readLines<Dependency>(folder, "toollinkos", "dependencies.jsonl");
  const families = levels.at(-1)?.encoder;
  if (families === undefined) return;
  const values = await families.encode(catalog.tools.map(embeddedText));
  const familyVectors = { values, dimensions: families.dimensions };
  for (const { name, encoder } of levels) {
    const relevance = remembered(await relevanceOver(catalog, encoder));
    const vectors = encoder === undefined ? undefined : await embedPorts(catalog.tools, encoder);
    const given = buildHypergraph(catalog, { edges: preconditionsOf(dependencies) });
    const edges = edgesOfOtherFamilies(catalog, train, vectors, familyVectors, LEARNED);
    const learned = buildHypergraph(catalog, { edges });
    const follow = (graph: ToolHypergraph) => (node: number) => graph.nodes[node]?.kind === "pre";
    const rankers = {
      none: rankedBy,
      given: (scores: Float32Array) => rankWithNeeds(given, scores, { follow: follow(given) }),
      "learned from other families": (scores: Float32Array) =>
        rankWithNeeds(learned, scores, { follow: follow(learned), depth: 1, leastWeight: LEARNED.leastWeight }),
    };
    for (const [graph, rank] of Object.entries(rankers)) {
      for (const [split, queries] of [
        ["train", train],
        ["test", test],
      ] as const) {
        const { map, recall, complete } = await rankingQuality(catalog, queries, relevance, rank);
        print(`| ${name} | ${graph} | ${split} | ${[map, recall, complete].map(shown).join(" | ")} |`);
      }
    }
  }
};

const contextRows: Rows = async ({ folder, print }, levels) => {
  print(`\n## Context graphs: the right tools within ${BUDGET}, questions with several\n`);
  print("| data | encoder | half | queries | recall flat | with the graph | all flat | with the graph |");
  print("| --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const dataSet of ["api-bank", "restbench", "nestful"]) {
    const catalog = await catalogOf(folder, dataSet);
    const all = await readLines<PlannedQuery>(folder, dataSet, "queries.test.jsonl");
    const queries = all.filter(({ tools }) => new Set(tools).size > 1);
    for (const level of levels) {
      const relevance = remembered(await relevanceOver(catalog, level.encoder));
      const graph = await graphOf(catalog, level);
      const flat = await contextQuality(catalog, queries, relevance, flatPicker(BUDGET));
      const context = await contextQuality(catalog, queries, relevance, contextPicker(graph, { budget: BUDGET }));
      for (const half of ["dev", "test", "all"]) {
        const of = <T extends { readonly half: Half }>(rows: readonly T[]): readonly T[] =>
          rows.filter((row) => half === "all" || row.half === half);
        const figures = (["recall", "complete"] as const).flatMap((key) => [
          mean(of(flat), key),
          mean(of(context), key),
        ]);
        print(`| ${dataSet} | ${level.name} | ${half} | ${of(flat).length} | ${figures.map(shown).join(" | ")} |`);
      }
    }
  }
};

const supportRows: Rows = async ({ folder, print }, levels) => {
  print(`\n## Support for the ${CHOSEN} best tools, within ${BUDGET}: all right tools found, in points\n`);
  print("| data | split | encoder | queries | off | auto | change |\n| --- | --- | --- | --- | --- | --- | --- |");
  for (const { dataSet, split } of testSplits) {
    const catalog = await catalogOf(folder, dataSet);
    const queries = await readQueries(folder, { dataSet, split }, MOST_QUERIES);
    for (const level of levels.filter(({ name }) => SUPPORT_LEVELS.has(name))) {
      const relevance = remembered(await relevanceOver(catalog, level.encoder));
      const graph = await graphOf(catalog, level);
      const off = mean(await contextQuality(catalog, queries, relevance, flatPicker(BUDGET)), "complete");
      const pick = supportedPicker(graph, { budget: BUDGET, chosen: CHOSEN });
      const auto = mean(await contextQuality(catalog, queries, relevance, pick), "complete");
      const points = [off, auto, auto - off].map((value) => (100 * value).toFixed(1));
      print(`| ${dataSet} | ${split} | ${level.name} | ${queries.length} | ${points.join(" | ")} |`);
    }
  }
};

const speedRows: Rows = async ({ folder, print }, levels) => {
  print("\n## Speed on ToolBench\n");
  const catalog = await catalogOf(folder, "toolbench");
  for (const { encoder } of levels) await graphSpeed(catalog, encoder, print);
};

/** Each query is encoded and scored once. */
function remembered(relevance: Relevance): Relevance {
  const known = new Map<string, Promise<Float32Array>>();
  return (query) => {
    const found = known.get(query) ?? relevance(query);
    known.set(query, found);
    return found;
  };
}

function mean<K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number {
  return rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
}

const shown = (value: number): string => value.toFixed(3);
