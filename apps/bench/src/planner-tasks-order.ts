import type { Catalog, Encoder } from "@setwise/core";
import {
  callStage,
  mentionPositions,
  requestClauses,
  orderTools,
  type ToolHypergraph,
  toolSupport,
} from "@setwise/planner";
import { embeddedText } from "@setwise/retriever";
import type { PlannedQuery } from "./link-gold.ts";

/** How well the known tools of requests are put in order. */
export interface OrderQuality {
  readonly queries: number;
  /** Share of pairs in the right order, 0..1, mean over queries. */
  readonly pairs: number;
  /** Share of queries with all in the right order. */
  readonly exact: number;
}

/** Puts the gold tools of each query with at least two in order, and compares with the reference calls. */
export async function orderQuality(
  graph: ToolHypergraph,
  encoder: Encoder,
  queries: readonly PlannedQuery[],
): Promise<OrderQuality> {
  const { catalog } = graph;
  const stages = catalog.tools.map(callStage);
  const support = toolSupport(graph);
  let [count, pairs, exact] = [0, 0, 0];
  for (const query of queries) {
    const gold = goldOrder(catalog, query);
    if (gold.length < 2) continue;
    // In catalog order, so that nothing of the answer is in the question.
    const tools = [...gold].sort((a, b) => a - b);
    const ofTools = tools.map((tool) => stages[tool] ?? 0);
    const order = orderTools({
      positions: await positionsOf(catalog, encoder, query.query, { tools, stages: ofTools }),
      stages: ofTools,
      support: (x, y) => support(tools[x] ?? 0, tools[y] ?? 0),
    });
    const found = Array.from(order, (place) => tools[place] ?? 0);
    const right = rightPairs(found, gold);
    count++;
    pairs += right;
    exact += Number(right === 1);
  }
  return { queries: count, pairs: pairs / count, exact: exact / count };
}

/** The distinct tools of the reference calls, in order of their first call. */
function goldOrder(catalog: Catalog, query: PlannedQuery): readonly number[] {
  return [...new Set(query.plan?.calls ?? [])].flatMap((id) => catalog.ordinalOf(id) ?? []);
}

async function positionsOf(
  catalog: Catalog,
  encoder: Encoder,
  query: string,
  { tools, stages }: { readonly tools: readonly number[]; readonly stages: readonly number[] },
): Promise<Float64Array> {
  const clauses = requestClauses(query);
  const texts = tools.map((tool) => embeddedText(catalog.tools[tool] as Catalog["tools"][number]));
  const [asked, offered] = await Promise.all([
    encoder.encode(
      clauses.map(({ text }) => text),
      { as: "query" },
    ),
    encoder.encode(texts),
  ]);
  const { dimensions } = encoder;
  const likeness = new Float32Array(clauses.length * tools.length);
  for (let task = 0; task < clauses.length; task++) {
    for (let tool = 0; tool < tools.length; tool++) {
      let sum = 0;
      for (let d = 0; d < dimensions; d++) {
        sum += (asked[task * dimensions + d] ?? 0) * (offered[tool * dimensions + d] ?? 0);
      }
      likeness[task * tools.length + tool] = sum;
    }
  }
  return mentionPositions(likeness, clauses, stages);
}

function rightPairs(found: readonly number[], gold: readonly number[]): number {
  let [right, all] = [0, 0];
  for (const [place, first] of gold.entries()) {
    for (const second of gold.slice(place + 1)) {
      all++;
      if (found.indexOf(first) < found.indexOf(second)) right++;
    }
  }
  return right / all;
}
