import type { Catalog } from "@setwise/core";
import { type GivenEdge, learnEdges, type PortVectors } from "@setwise/planner";
import { type Dependency, type PlannedQuery } from "./link-gold.ts";
import type { Relevance } from "./planner-graph-relevance.ts";

const ASKED = 10;
/** Tools that are more alike than this are of one family. */
const FAMILY_COSINE = 0.75;

/** Mean average precision, recall and completeness of the first ten tools. */
export interface RankingQuality {
  readonly map: number;
  readonly recall: number;
  readonly complete: number;
}

/** How a ranking is made from relevance. */
export type Ranker = (relevance: Float32Array) => ArrayLike<number>;

export async function rankingQuality(
  catalog: Catalog,
  queries: readonly PlannedQuery[],
  relevance: Relevance,
  rank: Ranker,
): Promise<RankingQuality> {
  const sums = { map: 0, recall: 0, complete: 0 };
  for (const { query, tools } of queries) {
    const gold = new Set(tools.flatMap((id) => catalog.ordinalOf(id) ?? []));
    let hits = 0;
    let precision = 0;
    for (const [place, tool] of Array.from(rank(await relevance(query)))
      .slice(0, ASKED)
      .entries()) {
      if (gold.has(tool)) precision += ++hits / (place + 1);
    }
    sums.map += precision / gold.size;
    sums.recall += hits / gold.size;
    sums.complete += hits === gold.size ? 1 : 0;
  }
  const share = (sum: number): number => sum / queries.length;
  return { map: share(sums.map), recall: share(sums.recall), complete: share(sums.complete) };
}

/** Dependencies as preconditions, whatever argument they speak of: what counts is which tool needs which. */
export function preconditionsOf(dependencies: readonly Dependency[]): readonly GivenEdge[] {
  return dependencies.map(({ from, to }) => ({ from: { tool: from.tool }, to: { tool: to.tool } }));
}

/** Edges learned from the gold sets of train queries, every tool being taught by tools of other families only. */
export function edgesOfOtherFamilies(
  catalog: Catalog,
  train: readonly PlannedQuery[],
  vectors: PortVectors | undefined,
  toolVectors: { readonly values: Float32Array; readonly dimensions: number },
  options: { readonly neighbours?: number; readonly leastWeight?: number } = {},
): readonly GivenEdge[] {
  const known = new Map<string, Set<string>>();
  for (const { main, tools } of train) {
    if (main === undefined || catalog.ordinalOf(main) === undefined) continue;
    const needs = known.get(main) ?? new Set<string>();
    known.set(main, needs);
    for (const tool of tools) if (tool !== main) needs.add(tool);
  }
  const family = families(catalog, toolVectors);
  const mayAsk = (a: string, b: string): boolean => family(a) !== family(b);
  return learnEdges(catalog, known, { mayAsk, ...options, ...(vectors === undefined ? {} : { vectors }) });
}

/** By tool id, its family: what hangs together by likeness, through others as well. */
function families(
  catalog: Catalog,
  { values, dimensions }: { readonly values: Float32Array; readonly dimensions: number },
): (id: string) => number {
  const parents = Array.from(catalog.tools.keys());
  const head = (tool: number): number => {
    let at = tool;
    while (parents[at] !== at) at = parents[at] ?? at;
    return at;
  };
  for (const a of catalog.tools.keys()) {
    for (let b = 0; b < a; b++) {
      let cosine = 0;
      for (let i = 0; i < dimensions; i++)
        cosine += (values[a * dimensions + i] ?? 0) * (values[b * dimensions + i] ?? 0);
      if (cosine > FAMILY_COSINE) parents[head(a)] = head(b);
    }
  }
  return (id) => head(catalog.ordinalOf(id) ?? 0);
}
