import { type ToolEmbeddings, vectorsOf } from "./tool-embeddings.ts";

/** How near the tools of an index are to a text, on the whole and at best. */
export interface ToolNearness {
  readonly tools: number;
  /** The mean cosine of all tools with the first row of `vectors`; 0 without tools. */
  meanCosine(vectors: Float32Array): number;
  /** The largest cosine of a tool with each of the rows, at least 0. */
  largestCosines(rows: Float32Array): Float32Array;
}

/** By embeddings: the mean of their rows is made once. */
const known = new WeakMap<ToolEmbeddings, ToolNearness>();

/** How near the encoded tools are to texts; the same object each time. */
export function toolNearness(embeddings: ToolEmbeddings): ToolNearness {
  let nearness = known.get(embeddings);
  if (nearness === undefined) {
    nearness = nearnessOf(embeddings);
    known.set(embeddings, nearness);
  }
  return nearness;
}

function nearnessOf(embeddings: ToolEmbeddings): ToolNearness {
  const { vectors, dimensions } = embeddings;
  const tools = vectors.length / dimensions;
  const mean = new Float64Array(dimensions);
  for (let at = 0; at < vectors.length; at++) mean[at % dimensions]! += vectors[at]! / tools;
  return {
    tools,
    meanCosine: (query) => mean.reduce((sum, value, i) => sum + value * query[i]!, 0),
    largestCosines(rows) {
      if (tools === 0) return new Float32Array(rows.length / dimensions);
      return vectorsOf(embeddings)
        .search(rows, 1)
        .scores.map((score) => Math.max(0, score));
    },
  };
}
