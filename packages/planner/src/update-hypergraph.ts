import { type Catalog, type Tool, toolDefinition } from "@setwise/core";
import { buildHypergraph } from "./build-hypergraph.ts";
import { type GivenEdge, refuseWrongEdges } from "./given-edges.ts";
import { rememberSource, sourceOf } from "./graph-sources.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { addTools, candidatesFor, type FoundLink, type LinkFinder, weigher } from "./link-finder.ts";
import type { PortMeaning } from "./port-meaning.ts";
import type { PortVectors } from "./port-vectors.ts";
import { heldLinks, LEAST_WEIGHT, type LinksByInput, MOST_LINKS, predictLinks, strongest } from "./predict-links.ts";
import { countGivers } from "./port-world.ts";
import { reweighLinks } from "./reweigh-links.ts";
import { fillRising } from "./stretches.ts";
import { neverSaysRequired } from "./tool-ports.ts";

export interface UpdateHypergraphOptions {
  /** Embeddings of the nodes of the {@link changedTools}, by the same encoder. Needed if the graph was built with some. */
  readonly vectors?: PortVectors;
  /** Default: those that the graph was built with. */
  readonly edges?: readonly GivenEdge[];
}

/** When so many times more tools were read than there are, or there are so many times more than words were counted in, the graph is built anew. */
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
  refuseWrongEdges(edges);
  const { vectors } = options;
  if (source === undefined) return buildHypergraph(catalog, { edges, ...(vectors === undefined ? {} : { vectors }) });
  const { finder, toolNumbers } = source;
  const { world } = finder;
  const isOutgrown =
    world.tools.length > MOST_GROWTH * catalog.tools.length ||
    catalog.tools.length > MOST_GROWTH * world.vocabulary.tools;
  if (isOutgrown || world.assumesRequired !== neverSaysRequired(catalog.tools)) {
    const all = finder.meaning === undefined ? vectors : allVectors(finder.meaning, vectors);
    return buildHypergraph(catalog, { edges, ...(all === undefined ? {} : { vectors: all }) });
  }
  const changed = compareCatalogs(graph.catalog, catalog);
  const goneBefore = world.tools.length - toolNumbers.length;
  const newTools = addTools(finder, changed.tools, vectors);
  const numbers = numbersAfter(toolNumbers, changed.ordinals, newTools);
  // The counts may be those of another graph of the same world.
  countGivers(world, toolNumbers);
  const changedKeys = countGivers(world, numbers);
  const predicted = source.predicted.slice();
  reweighLinks(finder, predicted, numbers, changedKeys);
  const gone = world.tools.length - numbers.length;
  // Three links of a tool are kept at most: half of an input's two dozen go with four tools, not with fewer.
  if (gone >> 2 !== goneBefore >> 2) refillLinks(finder, predicted, numbers);
  linkNewTools(finder, predicted, numbers, newTools);
  return rememberSource(catalog, { finder, toolNumbers: numbers, predicted, edges }, graph);
}

/** Adds the links into and from the new tools. */
function linkNewTools(
  finder: LinkFinder,
  predicted: LinksByInput,
  numbers: Uint32Array,
  newTools: readonly number[],
): void {
  const { world } = finder;
  const live = marksOf(numbers, world.tools.length);
  const isLive = (tool: number): boolean => live[tool] === 1;
  const nodes = newTools.flatMap((number) => {
    const { first = 0, end = 0 } = world.tools[number] ?? {};
    return Array.from({ length: end - first }, (_, place) => first + place);
  });
  const ofKind = (kind: string): number[] => nodes.filter((node) => world.nodes[node]?.kind === kind);
  predictLinks(finder, ofKind("in"), predicted, isLive);
  const isNew = new Set(newTools);
  const outputs = ofKind("out");
  const byInput = new Map<number, number[]>();
  for (const [place, inputs] of candidatesFor(finder, outputs, "in", isLive).entries()) {
    for (const input of inputs) {
      const tool = world.nodes[input]?.tool ?? 0;
      if (!isLive(tool) || isNew.has(tool)) continue;
      const list = byInput.get(input);
      if (list === undefined) byInput.set(input, [outputs[place] ?? 0]);
      else list.push(outputs[place] ?? 0);
    }
  }
  const weigherOf = weigher(finder);
  const changed = new Set<number>();
  for (const [input, froms] of byInput) {
    const weigh = weigherOf(input);
    const found: FoundLink[] = [];
    for (const from of froms) {
      const weight = weigh(from);
      if (weight >= LEAST_WEIGHT) found.push({ from, weight });
    }
    if (found.length === 0) continue;
    const kept = (predicted[input] ?? []).filter(({ from }) => isLive(world.nodes[from]?.tool ?? 0));
    // New outputs have the highest numbers: they come behind links that are as strong.
    const last = kept[MOST_LINKS - 1]?.weight ?? 0;
    if (found.every(({ weight }) => weight <= last)) continue;
    predicted[input] = strongest(finder, [...kept, ...found]);
    changed.add(input);
  }
  for (const input of changed) passOn(finder, predicted, input, isLive);
}

/** What now supports an object supports the values in it too. */
function passOn(finder: LinkFinder, predicted: LinksByInput, outer: number, isLive: (tool: number) => boolean): void {
  const { nodes, tools } = finder.world;
  const { tool, path } = nodes[outer]!;
  const { first = 0, end = 0 } = tools[tool] ?? {};
  for (let node = first; node < end; node++) {
    const inner = nodes[node]!;
    const isIn =
      inner.kind === "in" &&
      inner.path.length === path.length + 1 &&
      path.every((step, place) => inner.path[place] === step);
    if (!isIn) continue;
    const own = (predicted[node] ?? []).filter(({ from }) => isLive(nodes[from]!.tool));
    predicted[node] = strongest(finder, [...own, ...heldLinks(inner.path, predicted[outer] ?? [])]);
    passOn(finder, predicted, node, isLive);
  }
}

/** Seeks links anew for inputs that were full of links and have lost most of them with their tools. */
function refillLinks(finder: LinkFinder, predicted: LinksByInput, numbers: Uint32Array): void {
  const { world } = finder;
  const live = marksOf(numbers, world.tools.length);
  const isLive = (tool: number): boolean => live[tool] === 1;
  const poor: number[] = [];
  for (let node = 0; node < predicted.length; node++) {
    const links = predicted[node];
    if (links === undefined || links.length < MOST_LINKS || !isLive(world.nodes[node]!.tool)) continue;
    let left = 0;
    for (const { from } of links) left += live[world.nodes[from]!.tool]!;
    if (left < MOST_LINKS / 2) poor.push(node);
  }
  if (poor.length > 0) predictLinks(finder, poor, predicted, isLive);
}

/** The tools of a catalog that the graph has not, or has in another form: those that `vectors` are needed for. */
export function changedTools(graph: ToolHypergraph, catalog: Catalog): readonly Tool[] {
  return compareCatalogs(graph.catalog, catalog).tools;
}

/** In place of an ordinal of before: a tool that was not there, or in another form. */
const NEW = -1;

/** By ordinal, that of the same tool in the catalog of before; and the tools that are new or changed. */
function compareCatalogs(
  before: Catalog,
  catalog: Catalog,
): { readonly ordinals: Int32Array; readonly tools: readonly Tool[] } {
  const ordinals = new Int32Array(catalog.tools.length);
  const changed: Tool[] = [];
  // Most tools stand behind the one that they stood behind: they are not looked up by their names.
  let next = 0;
  for (let ordinal = 0; ordinal < ordinals.length; ordinal++) {
    const count = countSame(before.tools, next, catalog.tools, ordinal);
    fillRising(ordinals, ordinal, count, next);
    ordinal += count;
    next += count;
    if (ordinal === ordinals.length) break;
    const tool = catalog.tools[ordinal]!;
    const place = before.ordinalOf(tool.id);
    const isKept = place !== undefined && isSame(before.tools[place]!, tool);
    ordinals[ordinal] = isKept ? place : NEW;
    if (!isKept) changed.push(tool);
    if (place !== undefined) next = place + 1;
  }
  return { ordinals, tools: changed };
}

/** How many tools are the same objects from a place in one list and a place in another on. */
function countSame(before: readonly Tool[], first: number, tools: readonly Tool[], place: number): number {
  const most = Math.min(before.length - first, tools.length - place);
  let count = 0;
  while (count < most && before[first + count] === tools[place + count]) count++;
  return count;
}

function marksOf(numbers: Uint32Array, size: number): Uint8Array {
  const marks = new Uint8Array(size);
  for (let place = 0; place < numbers.length; place++) marks[numbers[place]!] = 1;
  return marks;
}

function numbersAfter(before: Uint32Array, ordinals: Int32Array, newTools: readonly number[]): Uint32Array {
  const numbers = new Uint32Array(ordinals.length);
  let added = 0;
  for (let ordinal = 0; ordinal < numbers.length; ordinal++) {
    const old = ordinals[ordinal]!;
    numbers[ordinal] = old === NEW ? newTools[added++]! : before[old]!;
  }
  return numbers;
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
