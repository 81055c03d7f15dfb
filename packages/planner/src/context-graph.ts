import { nodesOf, producersOf, type ToolHypergraph } from "./hypergraph.ts";

/** What of a graph fits a request, and how much of it there is room for. */
export interface ContextGraphRequest {
  /** By tool: how well it fits the request, 0 or more (equation 1). */
  readonly relevance: Float32Array;
  /** Tools in the answer. */
  readonly budget: number;
  /** By node: how well it fits what the request speaks of. Default: no node is a seed. */
  readonly nodeRelevance?: Float32Array;
  /** K: the most relevant tools to start from. Default: three quarters of the budget. */
  readonly seeds?: number;
  /** K_v: the most relevant nodes of each side to start from. Default 3, where there is `nodeRelevance`. */
  readonly nodeSeeds?: number;
  /** Producers tried for one input. Default 1. */
  readonly producers?: number;
  /** H. Default 2. */
  readonly hops?: number;
  /** Weaker links are not followed. Default .2. */
  readonly leastWeight?: number;
  /** The only tools that may be in it. Default: all. */
  readonly allow?: Uint32Array;
}

/** A part of the catalog for one request (Definition 2). */
export interface ContextGraph {
  /** Catalog ordinals, at most the budget: seeds by relevance, then producers by s_back, then further tools by relevance. */
  readonly tools: Uint32Array;
  /** By tool, how it came in. */
  readonly origins: readonly ("seed" | "producer" | "filling")[];
}

const DEFAULT_SEED_SHARE = 0.75;
const DEFAULT_NODE_SEEDS = 3;
const DEFAULT_PRODUCERS = 1;
const DEFAULT_HOPS = 2;
const DEFAULT_LEAST_WEIGHT = 0.2;

/**
 * The tool context graph (HyperAgent, 'Context Graph Extraction'): the tools and nodes that fit a request, then backward along links the
 * tools that bring what those need, best s_back = w · relevance first (equation 2), within a budget. Only opaque inputs and
 * preconditions are followed: what a person can say needs no producer, and following it pushes the right tools out.
 */
export function contextGraph(graph: ToolHypergraph, request: ContextGraphRequest): ContextGraph {
  const { relevance, budget, hops = DEFAULT_HOPS, producers = DEFAULT_PRODUCERS } = request;
  const { leastWeight = DEFAULT_LEAST_WEIGHT, allow } = request;
  const allowed = allow === undefined ? undefined : new Set(allow);
  const ranked = Array.from(graph.catalog.tools.keys())
    .filter((tool) => allowed?.has(tool) ?? true)
    .sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || a - b);
  const seeds = request.seeds ?? Math.max(2, Math.floor(DEFAULT_SEED_SHARE * budget));
  const chosen = new Map<number, "seed" | "producer" | "filling">();
  for (const tool of ranked.slice(0, Math.min(seeds, budget))) chosen.set(tool, "seed");
  for (const tool of toolsOfNodes(graph, request)) {
    if (chosen.size < budget && (allowed?.has(tool) ?? true) && !chosen.has(tool)) chosen.set(tool, "seed");
  }
  const found = new Map<number, number>();
  let frontier = [...chosen.keys()];
  for (let hop = 0; hop < hops && frontier.length > 0; hop++) {
    const next: number[] = [];
    for (const node of frontier
      .flatMap((tool) => nodesOf(graph, tool, "takes"))
      .filter((place) => isFollowed(graph, place))) {
      const candidates = producersOf(graph, node)
        .filter(({ tool, weight }) => weight >= leastWeight && (allowed?.has(tool) ?? true))
        .map(({ tool, weight }) => ({ tool, score: weight * (relevance[tool] ?? 0) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.tool - b.tool);
      for (const { tool, score } of candidates.slice(0, producers)) {
        if (chosen.has(tool)) continue;
        if (!found.has(tool)) next.push(tool);
        found.set(tool, Math.max(score, found.get(tool) ?? 0));
      }
    }
    frontier = next;
  }
  const added = [...found].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  for (const [tool] of added) if (chosen.size < budget) chosen.set(tool, "producer");
  for (const tool of ranked) if (chosen.size < budget && !chosen.has(tool)) chosen.set(tool, "filling");
  return { tools: Uint32Array.from(chosen.keys()), origins: [...chosen.values()] };
}

function isFollowed({ nodes }: ToolHypergraph, node: number): boolean {
  const { kind, required, opaque } = nodes[node] ?? {};
  return required === true && (kind === "pre" || opaque === true);
}

/** The tools of the most relevant nodes of each side, best first. */
function toolsOfNodes({ nodes }: ToolHypergraph, request: ContextGraphRequest): readonly number[] {
  const { nodeRelevance, nodeSeeds = DEFAULT_NODE_SEEDS } = request;
  if (nodeRelevance === undefined) return [];
  const tools: number[] = [];
  for (const kind of ["in", "out"]) {
    const best = Array.from(nodes.keys())
      .filter((node) => nodes[node]?.kind === kind && (nodeRelevance[node] ?? 0) > 0)
      .sort((a, b) => (nodeRelevance[b] ?? 0) - (nodeRelevance[a] ?? 0) || a - b);
    tools.push(...best.slice(0, nodeSeeds).map((node) => nodes[node]?.tool ?? 0));
  }
  return tools;
}
