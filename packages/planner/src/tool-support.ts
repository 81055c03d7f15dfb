import type { ToolHypergraph } from "./hypergraph.ts";

/** Support of an optional input counts a little less than that of a required one. */
const OPTIONAL = 0.8;

const tables = new WeakMap<ToolHypergraph, ReadonlyMap<number, number>>();

/** How well the outputs of one tool serve the inputs of another, in 0..1: by the strongest link between them. Made once for a graph. */
export function toolSupport(graph: ToolHypergraph): (before: number, after: number) => number {
  let table = tables.get(graph);
  if (table === undefined) {
    table = supportTable(graph);
    tables.set(graph, table);
  }
  const found = table;
  const tools = graph.catalog.tools.length;
  return (before, after) => found.get(before * tools + after) ?? 0;
}

function supportTable({ nodes, links, catalog }: ToolHypergraph): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  for (const [to, { tool, required }] of nodes.entries()) {
    for (let link = links.offsets[to] ?? 0; link < (links.offsets[to + 1] ?? 0); link++) {
      const from = nodes[links.from[link] ?? 0]?.tool ?? tool;
      const key = from * catalog.tools.length + tool;
      const weight = (links.weights[link] ?? 0) * (required ? 1 : OPTIONAL);
      if (from !== tool && weight > (table.get(key) ?? 0)) table.set(key, weight);
    }
  }
  return table;
}
