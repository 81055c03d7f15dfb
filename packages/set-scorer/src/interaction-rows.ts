import type { SetModel } from "./set-model.ts";
import { weighRows } from "./weigh-rows.ts";

/** Pair scores of M. */
export interface InteractionRows {
  /** z_a · M_m z_b of these tools, m = 2 … M: (M − 1) × K × K. */
  pairScores(tools: Uint32Array): Float64Array;
}

/**
 * Computes rows M_m z when a tool is first met and keeps them: a whole library would take seconds, and one query meets twenty tools. Sums are in float64
 * in one order, so that the numbers are the same everywhere.
 */
export function interactionRows({
  interactions,
  embeddings,
  toolDimensions: width,
  maxSize,
}: SetModel): InteractionRows {
  const matrices = maxSize - 1;
  const kept = new Map<number, Float64Array>();
  const rowsOf = (tool: number): Float64Array => {
    const known = kept.get(tool);
    if (known !== undefined) return known;
    const rows = new Float64Array(matrices * width);
    for (let matrix = 0; matrix < matrices; matrix++) {
      const shape = { start: matrix * width * width, first: tool * width, count: width, width };
      rows.set(weighRows({ rows: interactions, factors: embeddings, ...shape }), matrix * width);
    }
    kept.set(tool, rows);
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
