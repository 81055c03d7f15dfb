import type { Catalog, Encoder } from "@setwise/core";
import { buildIndex, embedTools, encodeQuery, retrieve } from "@setwise/retriever";

/** By tool: the score of the untrained pipeline for a query, from 0 for the worst tool to 1 for the best. */
export type Relevance = (query: string) => Promise<Float32Array>;

export async function relevanceOver(catalog: Catalog, encoder: Encoder | undefined): Promise<Relevance> {
  const words = buildIndex(catalog);
  const index = encoder === undefined ? words : await embedTools(words, encoder);
  return async (query) => {
    const vectors = encoder === undefined ? undefined : await encodeQuery(index, encoder, query);
    const k = catalog.tools.length;
    const { ids, scores } = retrieve(index, query, { k, ...(vectors === undefined ? {} : { vectors }) });
    const all = new Float32Array(k);
    for (const [place, tool] of ids.entries()) all[tool] = Math.max(0, scores[place] ?? 0);
    const most = Math.max(...all);
    return most > 0 ? all.map((score) => score / most) : all;
  };
}

/** Tools by relevance, best first, equal ones by lower ordinal. */
export function rankedBy(relevance: Float32Array): number[] {
  return Array.from(relevance.keys()).sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || a - b);
}
