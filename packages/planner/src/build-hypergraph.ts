import type { Catalog } from "@setwise/core";
import { type GivenEdge, refuseWrongEdges } from "./given-edges.ts";
import { rememberSource } from "./graph-sources.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { createLinkFinder } from "./link-finder.ts";
import type { PortVectors } from "./port-vectors.ts";
import { type LinksByInput, predictLinks } from "./predict-links.ts";

export interface BuildHypergraphOptions {
  /** Embeddings of the tools' nodes (`embedPorts`): links by meaning too. Default: by words alone. */
  readonly vectors?: PortVectors;
  /** Edges that a person, a document or a log gives (`readEdges`, `learnEdges`); they are stronger than what is predicted. */
  readonly edges?: readonly GivenEdge[];
}

/**
 * The hypergraph of a catalog: nodes from the tools' own schemas, links from types, names, descriptions, namespaces and, with vectors,
 * meaning. No pair of tools is looked at twice, and most never: an input is compared with outputs that share rare words with it or
 * mean something alike.
 *
 * @throws SetwiseError `invalid-argument` when the vectors are not those of the catalog, or an edge has another form.
 */
export function buildHypergraph(catalog: Catalog, options: BuildHypergraphOptions = {}): ToolHypergraph {
  const { vectors, edges = [] } = options;
  refuseWrongEdges(edges);
  const finder = createLinkFinder(catalog.tools, vectors);
  const predicted: LinksByInput = [];
  const inputs = finder.world.nodes.flatMap(({ kind }, node) => (kind === "in" ? [node] : []));
  predictLinks(finder, inputs, predicted, () => true);
  const toolNumbers = Uint32Array.from(catalog.tools.keys());
  return rememberSource(catalog, { finder, toolNumbers, predicted, edges });
}
