import { SetwiseError } from "@setwise/core";
import { nodesOf, producersOf, type ToolHypergraph } from "./hypergraph.ts";

export interface NeededToolsOptions {
  /** Weaker links are not followed. Default .3. */
  readonly leastWeight?: number;
  /** Tools in the answer, those that were asked about among them. Default 32. */
  readonly most?: number;
  /** Steps backward. Default: as many as there are; 1 where links were learned from sets, which hold what others need already. */
  readonly depth?: number;
  /** Nodes by which tools are followed backward; by default every required input and every precondition. */
  readonly follow?: (node: number) => boolean;
}

const DEFAULT_LEAST_WEIGHT = 0.3;
const DEFAULT_MOST = 32;

/** A tool that is needed. */
export interface NeededTool {
  /** Catalog ordinal. */
  readonly tool: number;
  /** The product of the weights on the way to it; 1 for the tool that was asked about. */
  readonly strength: number;
}

/**
 * A tool and all that it needs, directly or through others, depth first: what a tool needs stands behind it, the strongest first.
 * Unlike an expansion it adds every producer and not the best, which is right where links are given: a graph of dependencies.
 *
 * @throws SetwiseError `invalid-argument` when the graph has no such tool.
 */
export function neededTools(
  graph: ToolHypergraph,
  tool: number,
  { leastWeight = DEFAULT_LEAST_WEIGHT, most = DEFAULT_MOST, depth = Infinity, follow }: NeededToolsOptions = {},
): readonly NeededTool[] {
  if (graph.catalog.tools[tool] === undefined) {
    const tools = graph.catalog.tools.length;
    throw new SetwiseError("invalid-argument", `Expected the ordinal of a tool, below ${tools}, got ${tool}.`);
  }
  const isFollowed =
    follow ?? ((node: number) => graph.nodes[node]?.kind === "pre" || graph.nodes[node]?.required === true);
  const found = new Map<number, number>();
  const open = [{ tool, strength: 1, steps: 0 }];
  for (let next = open.pop(); next !== undefined && found.size < most; next = open.pop()) {
    if (found.has(next.tool)) continue;
    found.set(next.tool, next.strength);
    if (next.steps >= depth) continue;
    for (const [need, weight] of directNeeds(graph, next.tool, leastWeight, isFollowed).toReversed()) {
      open.push({ tool: need, strength: next.strength * weight, steps: next.steps + 1 });
    }
  }
  return Array.from(found, ([needed, strength]) => ({ tool: needed, strength }));
}

/** Tools that bring something to `tool`, the strongest first, equal ones in the order of its nodes. */
function directNeeds(
  graph: ToolHypergraph,
  tool: number,
  leastWeight: number,
  isFollowed: (node: number) => boolean,
): readonly (readonly [number, number])[] {
  const best = new Map<number, number>();
  for (const node of nodesOf(graph, tool, "takes")) {
    if (!isFollowed(node)) continue;
    for (const { tool: producer, weight } of producersOf(graph, node)) {
      if (weight >= leastWeight && weight > (best.get(producer) ?? 0)) best.set(producer, weight);
    }
  }
  return [...best].sort((a, b) => b[1] - a[1]);
}
