import type { Catalog } from "@setwise/core";
import type { GivenEdge } from "./given-edges.ts";
import { givenLinks } from "./given-links.ts";
import type { GraphProblem, ToolHypergraph } from "./hypergraph.ts";
import type { FoundLink, LinkFinder } from "./link-finder.ts";
import type { LinksByInput } from "./predict-links.ts";
import type { PortNode } from "./ports.ts";

/** What a graph was made from; kept beside it, so that it can be brought to a changed catalog. */
export interface GraphSource {
  readonly finder: LinkFinder;
  /** By catalog ordinal, the tool's number in the finder's world. */
  readonly toolNumbers: Uint32Array;
  /** By node of the world. */
  readonly predicted: LinksByInput;
  readonly edges: readonly GivenEdge[];
}

/** Puts a graph together: nodes in the order of the catalog, predicted and given links as columns. */
export function assembleGraph(
  catalog: Catalog,
  { finder, toolNumbers, predicted, edges }: GraphSource,
): ToolHypergraph {
  const { world } = finder;
  const given = givenLinks(catalog, finder, toolNumbers, edges);
  const nodes: PortNode[] = [];
  const nodeOffsets = new Uint32Array(toolNumbers.length + 1);
  const placeOf = new Int32Array(world.nodes.length).fill(-1);
  /** By place, the node of the world, or −1 for a precondition or effect. */
  const worldNodes: number[] = [];
  const problems: GraphProblem[] = [...given.problems];
  for (const [ordinal, number] of toolNumbers.entries()) {
    const tool = world.tools[number];
    if (tool === undefined) continue;
    const copy = (from: number, end: number): void => {
      for (let node = from; node < end; node++) {
        const known = world.nodes[node];
        if (known === undefined) continue;
        placeOf[node] = nodes.length;
        worldNodes.push(node);
        nodes.push(number === ordinal ? known : { ...known, tool: ordinal });
      }
    };
    const add = (states: readonly PortNode[]): void => {
      for (const state of states) {
        worldNodes.push(-1);
        nodes.push(state);
      }
    };
    copy(tool.first, tool.whole);
    add(given.preconditions.get(ordinal) ?? []);
    copy(tool.whole, tool.end);
    add(given.effects.get(ordinal) ?? []);
    nodeOffsets[ordinal + 1] = nodes.length;
    problems.push(...tool.problems);
  }
  if (catalog.tools.length > 0 && !catalog.tools.some((tool) => tool.outputSchema !== undefined)) {
    problems.unshift({
      code: "no-output-schemas",
      message: "No tool says what it gives back: links rest on the names and descriptions of the tools.",
    });
  }
  const ids = new Map<string, number>();
  for (const { links } of given.byInput.values()) for (const { from } of links) ids.set(from, -1);
  for (const id of given.byInput.keys()) ids.set(id, -1);
  if (ids.size > 0) for (const [place, { id }] of nodes.entries()) if (ids.has(id)) ids.set(id, place);

  let all: Map<string, number> | undefined;
  const links = columnsOf(nodes, worldNodes, placeOf, predicted, (node, rows) => {
    const own = given.byInput.get(node.id);
    if (own === undefined) return undefined;
    const known = own.links.map(({ from, weight, kind }) => ({ from: ids.get(from) ?? -1, weight, kind }));
    const said = new Set(known.map(({ from }) => from));
    return [
      ...rows().filter(({ from }) => !said.has(from)),
      ...known.filter(({ from, weight }) => from >= 0 && weight > 0),
    ];
  });
  return Object.freeze({
    catalog,
    nodes: Object.freeze(nodes),
    nodeOffsets,
    links,
    problems: Object.freeze(problems),
    nodeOf(id: string) {
      all ??= new Map(nodes.map((node, place) => [node.id, place]));
      return all.get(id);
    },
  });
}

const none: readonly FoundLink[] = [];

interface Row {
  readonly from: number;
  readonly weight: number;
  readonly kind: number;
}

function columnsOf(
  nodes: readonly PortNode[],
  worldNodes: readonly number[],
  placeOf: Int32Array,
  predicted: LinksByInput,
  withGiven: (node: PortNode, rows: () => readonly Row[]) => readonly Row[] | undefined,
): ToolHypergraph["links"] {
  const offsets = new Uint32Array(nodes.length + 1);
  const from: number[] = [];
  const weights: number[] = [];
  const kinds: number[] = [];
  for (const [place, node] of nodes.entries()) {
    const start = from.length;
    for (const { from: output, weight } of predicted[worldNodes[place] ?? -1] ?? none) {
      const origin = placeOf[output]!;
      if (origin < 0) continue;
      from.push(origin);
      weights.push(weight);
      kinds.push(0);
    }
    const all = withGiven(node, () => rowsFrom(start, from, weights));
    if (all !== undefined) {
      for (const column of [from, weights, kinds]) column.length = start;
      for (const row of all.toSorted((a, b) => b.weight - a.weight || a.from - b.from)) {
        from.push(row.from);
        weights.push(row.weight);
        kinds.push(row.kind);
      }
    }
    offsets[place + 1] = from.length;
  }
  return {
    offsets,
    from: Uint32Array.from(from),
    weights: Float32Array.from(weights),
    kinds: Uint8Array.from(kinds),
  };
}

function rowsFrom(start: number, from: readonly number[], weights: readonly number[]): readonly Row[] {
  return from.slice(start).map((origin, place) => ({ from: origin, weight: weights[start + place] ?? 0, kind: 0 }));
}
