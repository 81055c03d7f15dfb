import type { Catalog } from "@setwise/core";
import type { GivenEdge } from "./given-edges.ts";
import { type GivenLinks, givenLinks } from "./given-links.ts";
import { frozenGraph, type GraphProblem, type PortLinks, type ToolHypergraph } from "./hypergraph.ts";
import type { FoundLink, LinkFinder } from "./link-finder.ts";
import type { LinksByInput } from "./predict-links.ts";
import { nodeWithTool, type PortNode } from "./ports.ts";

/** What a graph was made from; kept beside it, so that it can be brought to a changed catalog. */
export interface GraphSource {
  readonly finder: LinkFinder;
  /** By catalog ordinal, the tool's number in the finder's world. */
  readonly toolNumbers: Uint32Array;
  /** By node of the world. */
  readonly predicted: LinksByInput;
  readonly edges: readonly GivenEdge[];
}

/** A graph with what it was made from. */
export interface AssembledGraph {
  readonly graph: ToolHypergraph;
  readonly source: GraphSource;
  /** By place in the graph, the node of the world; −1 where only given edges know of it. */
  readonly worldNodes: Int32Array;
}

/** Puts a graph together: nodes in the order of the catalog, predicted and given links as columns. */
export function assembleGraph(catalog: Catalog, source: GraphSource): AssembledGraph {
  const { finder, toolNumbers, predicted, edges } = source;
  const { world } = finder;
  const given = givenLinks(catalog, finder, toolNumbers, edges);
  const nodes: PortNode[] = [];
  const nodeOffsets = new Uint32Array(toolNumbers.length + 1);
  const placeOf = new Int32Array(world.nodes.length).fill(-1);
  const problems: GraphProblem[] = [...given.problems];
  const hasStates = given.preconditions.size > 0 || given.effects.size > 0;
  for (let ordinal = 0; ordinal < toolNumbers.length; ordinal++) {
    const number = toolNumbers[ordinal]!;
    const { first, whole, end, problems: own } = world.tools[number]!;
    for (let node = first; node < end; node++) {
      if (hasStates && node === whole) nodes.push(...(given.preconditions.get(ordinal) ?? none));
      placeOf[node] = nodes.length;
      const known = world.nodes[node]!;
      nodes.push(number === ordinal ? known : nodeWithTool(known, ordinal));
    }
    if (hasStates) nodes.push(...(given.effects.get(ordinal) ?? none));
    nodeOffsets[ordinal + 1] = nodes.length;
    if (own.length > 0) problems.push(...own);
  }
  if (catalog.tools.length > 0 && !catalog.tools.some((tool) => tool.outputSchema !== undefined)) {
    problems.unshift(NO_OUTPUT_SCHEMAS);
  }
  const worldNodes = new Int32Array(nodes.length).fill(-1);
  for (let node = 0; node < placeOf.length; node++) if (placeOf[node]! >= 0) worldNodes[placeOf[node]!] = node;
  const links = columnsOf(worldNodes, placeOf, predicted, givenRows(nodes, given));
  return { graph: frozenGraph({ catalog, nodes, nodeOffsets, links, problems }), source, worldNodes };
}

export const NO_OUTPUT_SCHEMAS: GraphProblem = Object.freeze({
  code: "no-output-schemas",
  message: "No tool says what it gives back: links rest on the names and descriptions of the tools.",
});

const none: readonly PortNode[] = [];
const noLinks: readonly FoundLink[] = [];

interface Row {
  readonly from: number;
  readonly weight: number;
  readonly kind: number;
}

/** Links into each node. Most nodes have predicted links only, which are sorted already: they are copied as they are. */
function columnsOf(
  worldNodes: Int32Array,
  placeOf: Int32Array,
  predicted: LinksByInput,
  given: ReadonlyMap<number, readonly Row[]>,
): PortLinks {
  const nodes = worldNodes.length;
  let room = 0;
  for (const node of worldNodes) room += node < 0 ? 0 : (predicted[node]?.length ?? 0);
  for (const rows of given.values()) room += rows.length;
  const offsets = new Uint32Array(nodes + 1);
  const from = new Uint32Array(room);
  const weights = new Float32Array(room);
  const kinds = new Uint8Array(room);
  let end = 0;
  for (let place = 0; place < nodes; place++) {
    const node = worldNodes[place]!;
    const found = (node < 0 ? undefined : predicted[node]) ?? noLinks;
    const own = given.size === 0 ? undefined : given.get(place);
    if (own !== undefined) {
      for (const row of mixed(found, placeOf, own)) {
        from[end] = row.from;
        weights[end] = row.weight;
        kinds[end++] = row.kind;
      }
    } else {
      for (let i = 0; i < found.length; i++) {
        const origin = placeOf[found[i]!.from]!;
        if (origin < 0) continue;
        from[end] = origin;
        weights[end++] = found[i]!.weight;
      }
    }
    offsets[place + 1] = end;
  }
  return { offsets, from: from.slice(0, end), weights: weights.slice(0, end), kinds: kinds.slice(0, end) };
}

/** Predicted links with given ones, which are stronger: they replace those of their outputs, or forbid them. */
function mixed(found: readonly FoundLink[], placeOf: Int32Array, given: readonly Row[]): readonly Row[] {
  const said = new Set(given.map(({ from }) => from));
  const rest = found
    .map(({ from, weight }) => ({ from: placeOf[from] ?? -1, weight, kind: 0 }))
    .filter(({ from }) => from >= 0 && !said.has(from));
  return [...rest, ...given.filter(({ weight }) => weight > 0)].sort((a, b) => b.weight - a.weight || a.from - b.from);
}

/** By place of the input, what was given for it. */
function givenRows(nodes: readonly PortNode[], { byInput }: GivenLinks): ReadonlyMap<number, readonly Row[]> {
  if (byInput.size === 0) return new Map();
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  return new Map(
    Array.from(byInput, ([id, { links }]) => [
      places.get(id) ?? -1,
      links.map(({ from, weight, kind }) => ({ from: places.get(from) ?? 0, weight, kind })),
    ]),
  );
}
