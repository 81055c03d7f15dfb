import { type Kernels, projectRows } from "@setwise/native";
import { rowsAt } from "./rows-at.ts";
import type { SetModel } from "./set-model.ts";

/** Tools whose rows are kept: at M = 5 and 384 dimensions 6 kB each. */
const MOST_KEPT = 2000;

/** Pair scores of M. */
export interface InteractionRows {
  /** z_a · M_m z_b of these tools, m = 2 … M: (M − 1) × K × K. */
  pairScores(tools: Uint32Array): Float64Array;
}

/**
 * Computes rows M_m z when a tool is first met and keeps those that were met last: a whole library would take long, and one query meets twenty tools.
 */
export function interactionRows(
  { interactions, embeddings, toolDimensions: width, maxSize }: SetModel,
  run: { readonly kernels?: Kernels } = {},
): InteractionRows {
  const matrices = maxSize - 1;
  const kept = new Map<number, Float32Array>();
  /** The M − 1 rows of each tool, one tool behind the other. */
  const rowsOf = (tools: Uint32Array): Float32Array => {
    const length = matrices * width;
    const unknown = tools.filter((tool) => !kept.has(tool));
    // M_2 … M_M one below the other are one matrix of (M − 1) · d_z outputs.
    const computed = projectRows(interactions, rowsAt(embeddings, width, unknown), { ...run, columns: width });
    for (const [at, tool] of unknown.entries()) kept.set(tool, computed.slice(at * length, (at + 1) * length));
    const rows = new Float32Array(tools.length * length);
    for (const [at, tool] of tools.entries()) {
      const own = kept.get(tool)!;
      rows.set(own, at * length);
      // At the end again: a map gives its oldest entry first.
      kept.delete(tool);
      kept.set(tool, own);
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return rows;
  };
  return {
    pairScores(tools) {
      const size = tools.length;
      const scores = new Float64Array(matrices * size * size);
      const products = projectRows(rowsAt(embeddings, width, tools), rowsOf(tools), { ...run, columns: width });
      for (let b = 0; b < size; b++) {
        for (let matrix = 0; matrix < matrices; matrix++) {
          for (let a = 0; a < b; a++) {
            const score = products[(b * matrices + matrix) * size + a]!;
            scores[(matrix * size + a) * size + b] = score;
            scores[(matrix * size + b) * size + a] = score;
          }
        }
      }
      return scores;
    },
  };
}
