import { type Catalog, type Tool, toolDefinition } from "@setwise/core";
import { buildHypergraph } from "./build-hypergraph.ts";
import type { GivenEdge } from "./given-edges.ts";
import { rememberSource, sourceOf } from "./graph-sources.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { addTools, candidatesFor, type FoundLink, type LinkFinder, weigher } from "./link-finder.ts";
import type { PortMeaning } from "./port-meaning.ts";
import type { PortVectors } from "./port-vectors.ts";
import { LEAST_WEIGHT, type LinksByInput, predictLinks, strongest } from "./predict-links.ts";
import { countGivers } from "./port-world.ts";
import { reweighLinks } from "./reweigh-links.ts";
import { neverSaysRequired } from "./tool-ports.ts";

export interface UpdateHypergraphOptions {
  /** Embeddings of the nodes of the {@link changedTools}, by the same encoder. Needed if the graph was built with some. */
  readonly vectors?: PortVectors;
  /** Default: those that the graph was built with. */
  readonly edges?: readonly GivenEdge[];
}

/** When so many times more tools were read than there are, what is no more is forgotten by building anew. */
const MOST_GROWTH = 2;

/**
 * The graph of a changed catalog: only links of tools that are new or changed are predicted anew, from and to all others, and weighed anew
 * where more or fewer tools give the same. How rare a
 * word is stays as it was when the graph was built, so weights may differ a little from those of a graph built anew. The old
 * graph stays as it is. A graph that was read from a file is built anew, with the vectors given.
 *
 * @throws SetwiseError `invalid-argument` when a text of a new tool has no vector.
 */
export function updateHypergraph(
  graph: ToolHypergraph,
  catalog: Catalog,
  options: UpdateHypergraphOptions = {},
): ToolHypergraph {
  const source = sourceOf(graph);
  const edges = options.edges ?? source?.edges ?? [];
  const { vectors } = options;
  if (source === undefined) return buildHypergraph(catalog, { edges, ...(vectors === undefined ? {} : { vectors }) });
  const { finder, toolNumbers } = source;
  const isOutgrown = finder.world.tools.length > MOST_GROWTH * catalog.tools.length;
  if (isOutgrown || finder.world.assumesRequired !== neverSaysRequired(catalog.tools)) {
    const all = finder.meaning === undefined ? vectors : allVectors(finder.meaning, vectors);
    return buildHypergraph(catalog, { edges, ...(all === undefined ? {} : { vectors: all }) });
  }
  const added = changedTools(graph, catalog);
  const newTools = addTools(finder, added, vectors);
  const numberOf = new Map(added.map((tool, place) => [tool, newTools[place] ?? 0]));
  const numbers = Uint32Array.from(
    catalog.tools,
    (tool) => numberOf.get(tool) ?? toolNumbers[graph.catalog.ordinalOf(tool.id) ?? 0] ?? 0,
  );
  // The counts may be those of another graph of the same world.
  countGivers(finder.world, toolNumbers);
  const changedKeys = countGivers(finder.world, numbers);
  const before = reweighLinks(finder, source.predicted, numbers, changedKeys);
  const predicted = linksAfter(finder, before, numbers, newTools);
  return rememberSource(catalog, { finder, toolNumbers: numbers, predicted, edges });
}

/** The links of before, with those into and from the new tools. */
function linksAfter(
  finder: LinkFinder,
  before: LinksByInput,
  numbers: Uint32Array,
  newTools: readonly number[],
): LinksByInput {
  const { world } = finder;
  const live = new Uint8Array(world.tools.length);
  for (const number of numbers) live[number] = 1;
  const isLive = (tool: number): boolean => live[tool] === 1;
  const predicted = before.slice();
  const nodes = newTools.flatMap((number) => {
    const { first = 0, end = 0 } = world.tools[number] ?? {};
    return Array.from({ length: end - first }, (_, place) => first + place);
  });
  const ofKind = (kind: string): number[] => nodes.filter((node) => world.nodes[node]?.kind === kind);
  predictLinks(finder, ofKind("in"), predicted, isLive);
  const isNew = new Set(newTools);
  const outputs = ofKind("out");
  const byInput = new Map<number, number[]>();
  for (const [place, inputs] of candidatesFor(finder, outputs, "in").entries()) {
    for (const input of inputs) {
      const tool = world.nodes[input]?.tool ?? 0;
      if (!isLive(tool) || isNew.has(tool)) continue;
      const list = byInput.get(input);
      if (list === undefined) byInput.set(input, [outputs[place] ?? 0]);
      else list.push(outputs[place] ?? 0);
    }
  }
  const weigherOf = weigher(finder);
  for (const [input, froms] of byInput) {
    const weigh = weigherOf(input);
    const found: FoundLink[] = [];
    for (const from of froms) {
      const weight = weigh(from);
      if (weight >= LEAST_WEIGHT) found.push({ from, weight });
    }
    if (found.length === 0) continue;
    const kept = (before[input] ?? []).filter(({ from }) => isLive(world.nodes[from]?.tool ?? 0));
    predicted[input] = strongest(finder, [...kept, ...found]);
  }
  return predicted;
}

/** The tools of a catalog that the graph has not, or has in another form: those that `vectors` are needed for. */
export function changedTools(graph: ToolHypergraph, catalog: Catalog): readonly Tool[] {
  return catalog.tools.filter((tool) => {
    const known = graph.catalog.tools[graph.catalog.ordinalOf(tool.id) ?? -1];
    return known === undefined || !isSame(known, tool);
  });
}

function isSame(a: Tool, b: Tool): boolean {
  return a === b || JSON.stringify(toolDefinition(a)) === JSON.stringify(toolDefinition(b));
}

function allVectors({ rowOf, vectors, dimensions }: PortMeaning, added: PortVectors | undefined): PortVectors {
  const rows = new Map(Array.from(rowOf, ([text, row]) => [text, vectors[row] ?? new Float32Array(dimensions)]));
  for (const [place, text] of (added?.texts ?? []).entries()) {
    rows.set(text, added!.values.subarray(place * dimensions, (place + 1) * dimensions));
  }
  const values = new Float32Array(rows.size * dimensions);
  for (const [place, row] of [...rows.values()].entries()) values.set(row, place * dimensions);
  return { texts: [...rows.keys()], values, dimensions };
}
