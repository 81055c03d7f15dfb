import { addRows } from "@setwise/core";
import type { SetModel } from "./set-model.ts";

/** Tools whose rows are kept: at M = 5 and 384 dimensions 12 kB each. */
const MOST_KEPT = 1000;

/** Pair scores of M. */
export interface InteractionRows {
  /** z_a · M_m z_b of these tools, m = 2 … M: (M − 1) × K × K. */
  pairScores(tools: Uint32Array): Float64Array;
}

/**
 * Computes rows M_m z when a tool is first met and keeps those of the thousand that were met last: a whole library would take seconds, and one query meets
 * twenty tools. Sums are in float64 in one order, so that the numbers are the same everywhere.
 */
export function interactionRows({
  interactions,
  embeddings,
  toolDimensions: width,
  maxSize,
}: SetModel): InteractionRows {
  const matrices = maxSize - 1;
  const numbers = new Float64Array(interactions);
  const kept = new Map<number, Float64Array>();
  const rowsOf = (tool: number): Float64Array => {
    const rows = kept.get(tool) ?? computed(tool);
    // At the end again: a map gives its oldest entry first.
    kept.delete(tool);
    kept.set(tool, rows);
    const [oldest = tool] = kept.keys();
    if (kept.size > MOST_KEPT) kept.delete(oldest);
    return rows;
  };
  const computed = (tool: number): Float64Array => {
    const rows = new Float64Array(matrices * width);
    const row = new Float64Array(embeddings.subarray(tool * width, (tool + 1) * width));
    for (let matrix = 0; matrix < matrices; matrix++) {
      const own = numbers.subarray(matrix * width * width, (matrix + 1) * width * width);
      addRows(rows.subarray(matrix * width, (matrix + 1) * width), row, own, width);
    }
    return rows;
  };
  return {
    pairScores(tools) {
      const size = tools.length;
      const scores = new Float64Array(matrices * size * size);
      for (let b = 0; b < size; b++) {
        const rows = rowsOf(tools[b]!);
        for (let a = 0; a < b; a++) {
          const start = tools[a]! * width;
          for (let matrix = 0; matrix < matrices; matrix++) {
            let sum = 0;
            for (let j = 0; j < width; j++) sum += embeddings[start + j]! * rows[matrix * width + j]!;
            scores[(matrix * size + a) * size + b] = sum;
            scores[(matrix * size + b) * size + a] = sum;
          }
        }
      }
      return scores;
    },
  };
}
