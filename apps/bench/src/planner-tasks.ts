import { createCatalog } from "@setwise/core";
import { buildHypergraph, decompose, DeficitExpansion, embedPorts, planTools } from "@setwise/planner";
import { buildIndex, embedTools, encodeQuery, retrieve } from "@setwise/retriever";
import { createSelector, openEncoder } from "setwise";
import { readQueries, readToolsOf, type Split } from "./data-sets.ts";
import { type EncoderLevel, encoderLevels } from "./levels.ts";
import { catalogOf, halfOf, type PlannedQuery, readLines } from "./link-gold.ts";
import { bestReading, decompositionQuality } from "./planner-tasks-decomposition.ts";
import { orderQuality } from "./planner-tasks-order.ts";
import { plannedSets } from "./planner-tasks-sets.ts";
import type { PlannerBenchmark, PlannerRows } from "./planner.ts";

/** Data sets with a test split only: constants were chosen on one half. */
const HALVED = ["restbench", "api-bank", "nestful"] as const;
/** The splits that are measured, and the one that the reading is chosen on. */
const DECOMPOSED: readonly (Split & { readonly chosenOn: string })[] = [
  { dataSet: "seal-tools", split: "test_in_domain", chosenOn: "dev" },
  { dataSet: "seal-tools", split: "test_out_domain", chosenOn: "dev" },
  { dataSet: "ultratool", split: "test", chosenOn: "train" },
  { dataSet: "tau-bench", split: "test", chosenOn: "train" },
];
/** Train queries that the reading is chosen on. */
const MOST_TRAIN_QUERIES = 1_000;
const readingNames = { whole: "as one text", clauses: "clauses", subTasks: "sub-tasks" } as const;

/** Sub-tasks, sets, order and speed of plans, with each encoder. */
export const plannerTaskRows: PlannerRows = async (benchmark) => {
  const levels = await encoderLevels(benchmark.cache);
  for (const rows of [setRows, orderRows, decompositionRows]) await rows(benchmark, levels);
};

type Rows = (benchmark: PlannerBenchmark, levels: readonly EncoderLevel[]) => Promise<void>;

const setRows: Rows = async ({ folder, print }, levels) => {
  print("\n## Plans from the question alone: sets of tools\n");
  print(
    "| data | encoder | half | queries | F1 | exact | mean size | valid order |\n| --- | --- | --- | --- | --- | --- | --- | --- |",
  );
  for (const dataSet of HALVED) {
    const { tools } = await readToolsOf(folder, dataSet);
    const queries = await readLines<PlannedQuery>(folder, dataSet, "queries.test.jsonl");
    for (const { name, encoder = "none" } of levels) {
      const selector = await createSelector({ tools: tools.map((tool) => tool.original), encoder });
      for (const half of ["dev", "test"]) {
        const found = await plannedSets(
          selector,
          queries.filter(({ id }) => halfOf(id) === half),
        );
        const figures = [found.f1, found.exact, found.meanSize, found.validOrder].map((value) => value.toFixed(3));
        print(`| ${dataSet} | ${name} | ${half} | ${found.queries} | ${figures.join(" | ")} |`);
      }
    }
  }
};

const orderRows: Rows = async ({ folder, print }, levels) => {
  print("\n## Order of the gold tools\n");
  print("| data | encoder | part | queries | pairs | all |\n| --- | --- | --- | --- | --- | --- |");
  for (const dataSet of [...HALVED, "ultratool", "tau-bench"]) {
    const catalog = await catalogOf(folder, dataSet);
    const all = await readLines<PlannedQuery>(folder, dataSet, "queries.test.jsonl");
    const isHalved = HALVED.some((name) => name === dataSet);
    for (const { name, encoder } of levels) {
      if (encoder === undefined) continue;
      const graph = buildHypergraph(catalog, { vectors: await embedPorts(catalog.tools, encoder) });
      for (const part of isHalved ? ["dev", "test", "all"] : ["all"]) {
        const queries = part === "all" ? all : all.filter(({ id }) => halfOf(id) === part);
        const found = await orderQuality(graph, encoder, queries);
        print(
          `| ${dataSet} | ${name} | ${part} | ${found.queries} | ${found.pairs.toFixed(3)} | ${found.exact.toFixed(3)} |`,
        );
      }
    }
  }
};

const decompositionRows: Rows = async ({ folder, print }, levels) => {
  print("\n## Decomposition by score, C@10 in per cent\n");
  print(
    "| data | encoder | queries | as one text | clauses of the retriever | sub-tasks | best on train or dev | which is | against one text |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  );
  for (const split of DECOMPOSED) {
    const catalog = await catalogOf(folder, split.dataSet);
    const queries = await readQueries(folder, split);
    const chosenOn = await readQueries(folder, { ...split, split: split.chosenOn }, MOST_TRAIN_QUERIES);
    const words = buildIndex(catalog);
    for (const { name, encoder } of levels) {
      const index = encoder === undefined ? words : await embedTools(words, encoder);
      const found = await decompositionQuality(index, encoder, queries);
      const best = bestReading(await decompositionQuality(index, encoder, chosenOn));
      const figures = [found.whole, found.clauses, found.subTasks, found[best], found[best] - found.whole];
      const [whole, clauses, subTasks, chosen, gain] = figures.map((value) => (100 * value).toFixed(1));
      print(
        `| ${split.dataSet} ${split.split} | ${name} | ${queries.length} | ${whole} | ${clauses} | ${subTasks} | ${chosen} | ${readingNames[best]} | ${gain} |`,
      );
    }
  }
};

/** Tools, and plans that are timed. */
const TIMED_TOOLS = 500;
const TIMED_PLANS = 200;
/** Tools that are looked for for each sub-task. */
const CANDIDATES = 50;

/** How long a plan takes; measure it with nothing else at work. */
export const planSpeedRows: PlannerRows = async ({ folder, print }) => {
  print(
    `\n## Time of a plan on ${TIMED_TOOLS} tools after encoding: retrieval for each sub-task, expansion, order, sources\n`,
  );
  const catalog = createCatalog((await catalogOf(folder, "ultratool")).tools.slice(0, TIMED_TOOLS));
  const queries = await readQueries(folder, { dataSet: "ultratool", split: "test" }, TIMED_PLANS);
  const encoder = await openEncoder("static");
  if (encoder === undefined) return;
  const index = await embedTools(buildIndex(catalog), encoder);
  using expansion = new DeficitExpansion(
    buildHypergraph(catalog, { vectors: await embedPorts(catalog.tools, encoder) }),
  );
  let times: number[] = [];
  let cpuMs = 0;
  // The first round warms up.
  for (let round = 0; round < 2; round++) {
    times = [];
    cpuMs = 0;
    for (const { query } of queries) {
      const parts = decompose([{ role: "user", text: query }]);
      const texts = [query, ...parts.flatMap(({ clause, context }) => (context === "" ? [clause] : [clause, context]))];
      const vectors = await Promise.all(texts.map((text) => encodeQuery(index, encoder, text)));
      const began = process.cpuUsage();
      const started = performance.now();
      decompose([{ role: "user", text: query }]);
      const found = texts.map((text, place) =>
        retrieve(index, text, { k: place === 0 ? TIMED_TOOLS : CANDIDATES, vectors: vectors[place] as Float32Array }),
      );
      const subTasks = parts.map(({ goal, clause }) => {
        const { ids, scores } = found[texts.lastIndexOf(clause)] as (typeof found)[number];
        return { goal, ids, scores };
      });
      planTools(expansion, { query, subTasks });
      times.push(performance.now() - started);
      const { user, system } = process.cpuUsage(began);
      cpuMs += (user + system) / 1000;
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2);
  print(
    `${times.length} plans, ${catalog.tools.length} tools: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms; ${(cpuMs / times.length).toFixed(2)} ms of CPU on average`,
  );
};
