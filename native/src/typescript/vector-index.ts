import { KernelError } from "../errors.ts";
import type { Similarity, VectorIndexKernel } from "../vector-index-kernel.ts";
import { dotRows } from "./exact-dot.ts";
import { allocate, fillRows, strideOf } from "./matrix.ts";
import { selectTop } from "./top-k.ts";

/** Exact top-k: every row's defining inner product, then the best of them. */
export function createTypescriptVectorIndex(
  dimensions: number,
  vectors: Float32Array,
  similarity: Similarity,
): VectorIndexKernel {
  const stride = strideOf(dimensions);
  const rows = vectors.length / dimensions;
  let matrix = allocate(rows * stride);
  fillRows("vectors", matrix, vectors, dimensions, similarity);
  const query = new Float64Array(stride);
  // Grows to the largest batch and pool seen, so that a search allocates nothing.
  let queryRows = new Float32Array(stride);
  let products = new Float32Array(0);
  return {
    search: (queries, k, allow, ids, scores) => {
      const batch = queries.length / dimensions;
      if (queryRows.length < batch * stride) queryRows = allocate(batch * stride);
      fillRows("queries", queryRows, queries, dimensions, similarity);
      const ordinals = allow === undefined ? undefined : distinct(allow, rows);
      const pool = ordinals?.length ?? rows;
      const count = Math.min(k, pool);
      if (count === 0) return 0;
      if (products.length < pool) products = allocate(pool);
      for (let row = 0; row < batch; row += 1) {
        // In float64 once, instead of a conversion for each row it is multiplied with.
        query.set(queryRows.subarray(row * stride, (row + 1) * stride));
        dotRows(matrix, stride, ordinals, query, products, pool);
        const [from, to] = [row * count, (row + 1) * count];
        selectTop(products, ordinals, pool, ids.subarray(from, to), scores.subarray(from, to));
      }
      return count;
    },
    dispose: () => {
      matrix = products = queryRows = new Float32Array(0);
    },
  };
}

/** The distinct ordinals of `allow`, ascending. */
function distinct(allow: Uint32Array, rows: number): Uint32Array {
  const marks = new Uint8Array(rows);
  let count = 0;
  for (const ordinal of allow) {
    if (ordinal >= rows) {
      const text = `allow: ordinal ${ordinal} names no row; there are ${rows} rows.`;
      throw new KernelError("invalid-argument", text);
    }
    count += 1 - marks[ordinal]!;
    marks[ordinal] = 1;
  }
  const ordinals = new Uint32Array(count);
  for (let row = 0, next = 0; next < count; row += 1) {
    if (marks[row] === 1) {
      ordinals[next] = row;
      next += 1;
    }
  }
  return ordinals;
}
