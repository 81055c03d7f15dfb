import type { Catalog } from "@setwise/core";
import { assembleGraph, type GraphSource } from "./assemble-graph.ts";
import type { ToolHypergraph } from "./hypergraph.ts";

/** What graphs were made from, as long as they are in use. */
const sources = new WeakMap<ToolHypergraph, GraphSource>();

/** Assembles a graph and keeps what it was made from. */
export function rememberSource(catalog: Catalog, source: GraphSource): ToolHypergraph {
  const graph = assembleGraph(catalog, source);
  sources.set(graph, source);
  return graph;
}

/** What a graph was made from; `undefined` for one that was read from a file. */
export function sourceOf(graph: ToolHypergraph): GraphSource | undefined {
  return sources.get(graph);
}
