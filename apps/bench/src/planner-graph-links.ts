import { producersOf, type ToolHypergraph } from "@setwise/planner";
import { type KnownLinks, pairOf } from "./known-links.ts";
import { type Half, halfOf } from "./link-gold.ts";

/**
 * Average precision of pairs of tools, ranked by their strongest link, against the pairs that are known; only pairs whose consumer is
 * of that half. Pairs without any link come after all others and count as not found.
 */
export function linkPrecision(graph: ToolHypergraph, { pairs }: KnownLinks, half?: Half): number {
  const { catalog, nodes } = graph;
  const isAsked = (consumer: string): boolean => half === undefined || halfOf(consumer) === half;
  const weights = new Map<string, number>();
  for (const [place, node] of nodes.entries()) {
    const consumer = catalog.tools[node.tool]?.id ?? "";
    if (node.kind !== "in" || !isAsked(consumer)) continue;
    for (const { tool, weight } of producersOf(graph, place)) {
      const pair = pairOf(catalog.tools[tool]?.id ?? "", consumer);
      weights.set(pair, Math.max(weight, weights.get(pair) ?? 0));
    }
  }
  const asked = [...pairs].filter((pair) => isAsked(pair.split(" > ")[1] ?? "")).length;
  let hits = 0;
  let precision = 0;
  for (const [rank, [pair]] of [...weights].sort((a, b) => b[1] - a[1]).entries()) {
    if (pairs.has(pair)) precision += ++hits / (rank + 1);
  }
  return precision / asked;
}
