import { nodesOf, producersOf, type ToolHypergraph } from "./hypergraph.ts";

export interface NeededToolsOptions {
  /** Weaker links are not followed. Default .3. */
  readonly leastWeight?: number;
  /** Tools in the answer, those that were asked about among them. Default 32. */
  readonly most?: number;
  /** Nodes by which tools are followed backward; by default every required input and every precondition. */
  readonly follow?: (node: number) => boolean;
}

const DEFAULT_LEAST_WEIGHT = 0.3;
const DEFAULT_MOST = 32;

/**
 * A tool and all that it needs, directly or through others, depth first: what a tool needs stands behind it, the strongest first.
 * Unlike an expansion it adds every producer and not the best, which is right where links are given: a graph of dependencies.
 */
export function neededTools(
  graph: ToolHypergraph,
  tool: number,
  { leastWeight = DEFAULT_LEAST_WEIGHT, most = DEFAULT_MOST, follow }: NeededToolsOptions = {},
): readonly number[] {
  const isFollowed =
    follow ?? ((node: number) => graph.nodes[node]?.kind === "pre" || graph.nodes[node]?.required === true);
  const found = new Set<number>();
  const open = [tool];
  while (open.length > 0 && found.size < most) {
    const next = open.pop() ?? tool;
    if (found.has(next)) continue;
    found.add(next);
    open.push(...directNeeds(graph, next, leastWeight, isFollowed).toReversed());
  }
  return [...found];
}

/** Tools that bring something to `tool`, the strongest first, equal ones in the order of its nodes. */
function directNeeds(
  graph: ToolHypergraph,
  tool: number,
  leastWeight: number,
  isFollowed: (node: number) => boolean,
): readonly number[] {
  const best = new Map<number, number>();
  for (const node of nodesOf(graph, tool, "takes")) {
    if (!isFollowed(node)) continue;
    for (const { tool: producer, weight } of producersOf(graph, node)) {
      if (weight >= leastWeight && weight > (best.get(producer) ?? 0)) best.set(producer, weight);
    }
  }
  return [...best].sort((a, b) => b[1] - a[1]).map(([producer]) => producer);
}
