import { type Retrieval, retrieve, type ToolIndex } from "@setwise/retriever";
import type { SetQuery } from "@setwise/set-scorer";

/** Tools that a feature names; a set model is trained and asked with the same. */
export const NAMED_TOOLS = 100;

/**
 * What a set model is told of a query: the vector of the whole, the hybrid score by words and meaning, and the score by words alone as a share of the best.
 *
 * @param hybrid What was found by words and meaning.
 * @param vectors The vectors that `encodeQuery` gave, the whole query's first.
 */
export function setQuery(
  index: ToolIndex,
  query: string,
  {
    hybrid,
    vectors,
    allow,
  }: { readonly hybrid: Retrieval; readonly vectors: Float32Array; readonly allow?: Uint32Array },
): SetQuery {
  const words = retrieve(index, query, { k: NAMED_TOOLS, ...(allow === undefined ? {} : { allow }) });
  const best = words.scores[0] ?? 1;
  return {
    vector: vectors.subarray(0, index.embeddings?.dimensions ?? 0),
    features: {
      hybrid: { ids: hybrid.ids.subarray(0, NAMED_TOOLS), values: hybrid.scores.subarray(0, NAMED_TOOLS) },
      words: { ids: words.ids, values: words.scores.map((score) => score / best) },
    },
    requests: hybrid.requests,
  };
}
