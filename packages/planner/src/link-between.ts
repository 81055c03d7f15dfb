import { nodesOf, type ToolHypergraph } from "./hypergraph.ts";

/**
 * The strongest link from any output of `tool` into `node`: links into a node are sorted, so that the first one is it. Where there is
 * none, the result as a whole is taken to support it with `floor`.
 */
export function linkBetween(
  graph: ToolHypergraph,
  tool: number,
  node: number,
  floor = 0,
): { readonly from: number; readonly to: number; readonly weight: number } {
  const { nodes, links } = graph;
  for (let link = links.offsets[node] ?? 0; link < (links.offsets[node + 1] ?? 0); link++) {
    const from = links.from[link] ?? 0;
    if (nodes[from]?.tool === tool) return { from, to: node, weight: links.weights[link] ?? 0 };
  }
  return { from: nodesOf(graph, tool, "gives")[0] ?? node, to: node, weight: floor };
}
