import type { Catalog } from "@setwise/core";
import { type AssembledGraph, assembleGraph, type GraphSource } from "./assemble-graph.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { reassembleGraph } from "./reassemble-graph.ts";

/** What graphs were made from, as long as they are in use. */
const assembled = new WeakMap<ToolHypergraph, AssembledGraph>();

/**
 * Assembles a graph and keeps what it was made from.
 *
 * @param before A graph of the same world: what did not change is copied from it.
 */
export function rememberSource(catalog: Catalog, source: GraphSource, before?: ToolHypergraph): ToolHypergraph {
  const known = before === undefined ? undefined : assembled.get(before);
  // Given edges bring nodes and links that depend on several tools: with them a graph is put together as a whole.
  const isCopied = known !== undefined && known.source.edges.length === 0 && source.edges.length === 0;
  const made = isCopied ? reassembleGraph(catalog, source, known) : assembleGraph(catalog, source);
  assembled.set(made.graph, made);
  return made.graph;
}

/** What a graph was made from; `undefined` for one that was read from a file. */
export function sourceOf(graph: ToolHypergraph): GraphSource | undefined {
  return assembled.get(graph)?.source;
}
