import type { ToolHypergraph } from "./hypergraph.ts";

/** The strongest link from any output of `tool` into `node`. Links into a node are sorted, so that the first one is it. */
export function linkBetween(
  { nodes, links }: ToolHypergraph,
  tool: number,
  node: number,
): { readonly from: number; readonly to: number; readonly weight: number } {
  for (let link = links.offsets[node] ?? 0; link < (links.offsets[node + 1] ?? 0); link++) {
    const from = links.from[link] ?? 0;
    if (nodes[from]?.tool === tool) return { from, to: node, weight: links.weights[link] ?? 0 };
  }
  return { from: node, to: node, weight: 0 };
}
