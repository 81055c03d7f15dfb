import type { ToolHypergraph } from "./hypergraph.ts";
import { type NeededTool, neededTools, type NeededToolsOptions } from "./needed-tools.ts";

export interface RankWithNeedsOptions extends NeededToolsOptions {
  /** Tools that may be what is asked for. Default 5. */
  readonly seeds?: number;
  /** τ: how much likelier a tool is for being more relevant. Default 160. */
  readonly sharpness?: number;
}

const DEFAULT_SEEDS = 5;
/** On ToolLinkOS' train queries the best in mAP + recall + completeness; larger ones put the first seed with all its needs first. */
const DEFAULT_SHARPNESS = 160;

/**
 * Tools by how likely they are to be called, best first: P(t) = Σ_s p(s) · strength(s → t) over the most relevant tools s, with p(s) ∝
 * exp(τ · (relevance_s − relevance_best) / relevance_best). What several likely tools need comes before what one of them needs.
 * Behind them all other tools, by relevance.
 *
 * @param relevance By tool: how well it fits the request, 0 or more.
 */
export function rankWithNeeds(
  graph: ToolHypergraph,
  relevance: Float32Array,
  options: RankWithNeedsOptions = {},
): Uint32Array {
  const { seeds = DEFAULT_SEEDS, sharpness = DEFAULT_SHARPNESS } = options;
  const ranked = Array.from(graph.catalog.tools.keys()).sort(
    (a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || a - b,
  );
  const best = relevance[ranked[0] ?? 0] ?? 0;
  const likely = ranked.slice(0, seeds).filter((tool) => (relevance[tool] ?? 0) > 0);
  const odds = likely.map((tool) => Math.exp(sharpness * ((relevance[tool] ?? 0) / best - 1)));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const needs: (readonly NeededTool[])[] = likely.map((tool) => neededTools(graph, tool, options));
  const probabilities = new Map<number, number>();
  for (const [place, own] of needs.entries()) {
    for (const { tool, strength } of own) {
      probabilities.set(tool, (probabilities.get(tool) ?? 0) + ((odds[place] ?? 0) / total) * strength);
    }
  }
  // Equal ones stay in the order in which they were found; sums of the same shares may differ in the last bits.
  const byProbability = [...probabilities].sort((a, b) => Math.round(EQUAL * (b[1] - a[1]))).map(([tool]) => tool);
  return Uint32Array.from(new Set([...byProbability, ...ranked]));
}
const EQUAL = 1e6;
