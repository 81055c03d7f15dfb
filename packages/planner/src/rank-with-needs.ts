import type { ToolHypergraph } from "./hypergraph.ts";
import { neededTools, type NeededToolsOptions } from "./needed-tools.ts";

export interface RankWithNeedsOptions extends NeededToolsOptions {
  /** Tools that may be what is asked for. Default 5. */
  readonly seeds?: number;
  /** How many of the first tools will be used: these are filled seed by seed. Default 10. */
  readonly room?: number;
}

const DEFAULT_SEEDS = 5;
const DEFAULT_ROOM = 10;
/** τ: how much likelier a tool is for being more relevant. On ToolLinkOS' train queries 20 to 80 are alike. */
const SHARPNESS = 40;
/** Sums of the same shares may differ in the last bits. */
const EQUAL = 1e-6;

/**
 * Tools by how likely they are to be called. The first `room` are the most relevant tools, each with all that it needs, so that the
 * likeliest one is complete; among them P(t) = Σ_s p(s) · strength(s → t) decides, with p(s) ∝ exp(τ · (relevance_s / relevance_best − 1))
 * over the most relevant tools s: what several likely tools need comes before what one of them needs. All others follow by relevance.
 *
 * @param relevance By tool: how well it fits the request, 0 or more.
 */
export function rankWithNeeds(
  graph: ToolHypergraph,
  relevance: Float32Array,
  options: RankWithNeedsOptions = {},
): Uint32Array {
  const { seeds = DEFAULT_SEEDS, room = DEFAULT_ROOM } = options;
  const ranked = Array.from(graph.catalog.tools.keys()).sort(
    (a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || a - b,
  );
  const best = relevance[ranked[0] ?? 0] ?? 0;
  const likely = ranked.slice(0, seeds).filter((tool) => (relevance[tool] ?? 0) > 0);
  const odds = likely.map((tool) => Math.exp(SHARPNESS * ((relevance[tool] ?? 0) / best - 1)));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const probabilities = new Map<number, number>();
  const first = new Set<number>();
  for (const [place, seed] of likely.entries()) {
    for (const { tool, strength } of neededTools(graph, seed, options)) {
      probabilities.set(tool, (probabilities.get(tool) ?? 0) + ((odds[place] ?? 0) / total) * strength);
      if (first.size < room) first.add(tool);
    }
  }
  // Equal ones stay in the order in which they were found.
  const key = (tool: number): number => Math.round((probabilities.get(tool) ?? 0) / EQUAL);
  const byProbability = [...first].sort((a, b) => key(b) - key(a));
  return Uint32Array.from(new Set([...byProbability, ...ranked]));
}
