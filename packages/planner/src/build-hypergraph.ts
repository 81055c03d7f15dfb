import type { Catalog } from "@setwise/core";
import type { ToolHypergraph } from "./hypergraph.ts";
import type { PortVectors } from "./port-vectors.ts";

export interface BuildHypergraphOptions {
  /** Embeddings of the nodes: links by meaning too. Default: by words alone. */
  readonly vectors?: PortVectors;
}

/** The hypergraph of a catalog: nodes from the tools' own schemas, links from types, names, descriptions and meaning. */
export function buildHypergraph(catalog: Catalog, options: BuildHypergraphOptions = {}): ToolHypergraph {
  throw new Error(`not yet: ${catalog.tools.length} ${options.vectors?.dimensions}`);
}
