import type { Catalog } from "@setwise/core";
import type { PortNode } from "./ports.ts";

/** What flows along a link: a value, a state, or nothing but time. */
export const linkKinds = ["data", "effect", "order"] as const;
export type LinkKind = (typeof linkKinds)[number];

/** Port links D(v_o, v_i) = w as columns: those into node v stand at `offsets[v]` to `offsets[v + 1] − 1`, strongest first. */
export interface PortLinks {
  /** Nodes + 1 offsets. */
  readonly offsets: Uint32Array;
  /** Node ordinals of outputs and effects. */
  readonly from: Uint32Array;
  /** Above 0, at most 1. */
  readonly weights: Float32Array;
  /** Places in {@link linkKinds}. */
  readonly kinds: Uint8Array;
}

/** Something that is not as it should be; the graph was built all the same. */
export interface GraphProblem {
  readonly code:
    /** No tool says what it gives back: links rest on names and descriptions. */
    | "no-output-schemas"
    /** A schema was larger or deeper than the bounds; what lies beyond has no nodes. */
    | "schema-cut"
    /** A `$ref` names nothing in its schema. */
    | "unresolved-ref"
    /** A manual edge or dependency names a tool or port that is not there; it was left out. */
    | "unknown-port"
    /** Two manual edges say different things of the same link; the last one counts. */
    | "contradictory-edges";
  /** One sentence: what was found and what was done. */
  readonly message: string;
  readonly toolId?: string;
}

/**
 * A tool-schema hypergraph H = (V, E, D) (HyperAgent, Preliminaries): tools are directed hyperedges from the nodes they
 * require to the nodes they produce; links say which output may support which input, and how well. A tool is its
 * catalog ordinal, a node its place in `nodes`. Frozen: a change makes a new one.
 */
export interface ToolHypergraph {
  readonly catalog: Catalog;
  /** V: grouped by tool, within a tool inputs, preconditions, outputs, effects. */
  readonly nodes: readonly PortNode[];
  /** Tools + 1 offsets: the nodes of tool e are `nodeOffsets[e]` to `nodeOffsets[e + 1] − 1`. */
  readonly nodeOffsets: Uint32Array;
  /** D. */
  readonly links: PortLinks;
  readonly problems: readonly GraphProblem[];
  /** The ordinal of a node by its id, or `undefined`. */
  nodeOf(id: string): number | undefined;
}

/** A tool that supports an input, by its strongest link. */
export interface Producer {
  /** Catalog ordinal. */
  readonly tool: number;
  /** Node ordinal of the output or effect. */
  readonly node: number;
  /** ρ(e, r), equation 3. */
  readonly weight: number;
  readonly kind: LinkKind;
}

/** The tools that support the input or precondition `node`, strongest first, equal ones by lower ordinal: a row of A_prod. */
export function producersOf({ nodes, links }: ToolHypergraph, node: number): readonly Producer[] {
  const found = new Map<number, Producer>();
  for (let link = links.offsets[node] ?? 0; link < (links.offsets[node + 1] ?? 0); link++) {
    const from = links.from[link] ?? 0;
    const tool = nodes[from]?.tool ?? 0;
    if (found.has(tool)) continue;
    const kind = linkKinds[links.kinds[link] ?? 0] ?? "data";
    found.set(tool, { tool, node: from, weight: links.weights[link] ?? 0, kind });
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight || a.tool - b.tool);
}

/** Ordinals of the nodes of a tool, of one side: what it takes (`in`, `pre`) or what it gives (`out`, `eff`). */
export function nodesOf({ nodes, nodeOffsets }: ToolHypergraph, tool: number, side: "takes" | "gives"): number[] {
  const found: number[] = [];
  for (let node = nodeOffsets[tool] ?? 0; node < (nodeOffsets[tool + 1] ?? 0); node++) {
    const kind = nodes[node]?.kind;
    if ((kind === "in" || kind === "pre") === (side === "takes")) found.push(node);
  }
  return found;
}

/** A graph of these parts, frozen; its nodes are found by id once somebody asks. */
export function frozenGraph(parts: Omit<ToolHypergraph, "nodeOf">): ToolHypergraph {
  const { nodes, problems } = parts;
  let all: Map<string, number> | undefined;
  return Object.freeze({
    ...parts,
    problems: Object.freeze(problems),
    nodeOf(id: string) {
      all ??= new Map(nodes.map((node, place) => [node.id, place]));
      return all.get(id);
    },
  });
}
