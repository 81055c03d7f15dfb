import type { Catalog } from "@setwise/core";
import {
  contextGraph,
  type ContextGraphRequest,
  supportFor,
  type SupportRequest,
  type ToolHypergraph,
} from "@setwise/planner";
import { type Half, halfOf, type PlannedQuery } from "./link-gold.ts";
import { rankedBy, type Relevance } from "./planner-graph-relevance.ts";

/** How many of the right tools are in a few, and whether all are. */
export interface ContextQuality {
  readonly half: Half;
  readonly recall: number;
  readonly complete: number;
}

/** A request to the tools that it is given. */
export type ContextPicker = (relevance: Float32Array) => ArrayLike<number>;

export async function contextQuality(
  catalog: Catalog,
  queries: readonly PlannedQuery[],
  relevance: Relevance,
  pick: ContextPicker,
): Promise<readonly ContextQuality[]> {
  const found: ContextQuality[] = [];
  for (const { id, query, tools } of queries) {
    const gold = new Set(tools.flatMap((tool) => catalog.ordinalOf(tool) ?? []));
    const picked = new Set(Array.from(pick(await relevance(query))));
    const hits = [...gold].filter((tool) => picked.has(tool)).length;
    found.push({ half: halfOf(id), recall: hits / gold.size, complete: hits === gold.size ? 1 : 0 });
  }
  return found;
}

/** Plain retrieval. */
export function flatPicker(budget: number): ContextPicker {
  return (relevance) => rankedBy(relevance).slice(0, budget);
}

export function contextPicker(graph: ToolHypergraph, settings: Omit<ContextGraphRequest, "relevance">): ContextPicker {
  return (relevance) => contextGraph(graph, { relevance, ...settings }).tools;
}

/** What `select` would give: the most relevant tools, then what they need, within the same number. */
export function supportedPicker(
  graph: ToolHypergraph,
  {
    budget,
    chosen,
    ...settings
  }: Omit<SupportRequest, "chosen" | "relevance"> & { readonly budget: number; readonly chosen: number },
): ContextPicker {
  return (relevance) => {
    const ranked = rankedBy(relevance);
    const first = ranked.slice(0, chosen);
    const { added } = supportFor(graph, { chosen: Uint32Array.from(first), relevance, ...settings });
    return [...new Set([...first, ...added.map(({ tool }) => tool), ...ranked])].slice(0, budget);
  };
}
