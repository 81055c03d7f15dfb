import type { VectorIndexKernel, VectorIndexShape } from "../vector-index-kernel.ts";
import { KernelError } from "../errors.ts";
import { dotRows, exactDot } from "./exact-dot.ts";
import { allocate, fillRows, strideOf } from "./matrix.ts";
import { checkOrdinalsNameRows, createPools } from "./pool.ts";
import { maximumError, packAnchors, packedLength, scanMaximum } from "./scan-maximum.ts";
import { selectTop } from "./top-k.ts";

/** What rounding to float32 moves a number by, twice over, and the smallest float32. */
const rounding: number = 2 ** -22;
const smallest: number = 2 ** -149;

/**
 * Exact top-k: every row's defining inner product, then the best of them. There are no threads and no bytes here: integers
 * multiply no faster than floats in JavaScript, and the answers are the same. `name` is what errors call the vectors.
 */
export function createTypescriptVectorIndex(
  { dimensions, similarity }: VectorIndexShape,
  vectors: Float32Array,
  restored: boolean,
  name = "vectors",
): VectorIndexKernel {
  const stride = strideOf(dimensions);
  const pools = createPools();
  const query = new Float64Array(stride);
  let matrix = new Float32Array(0);
  let removed = new Uint8Array(0);
  let rows = 0;
  let removedCount = 0;
  let greatestLength = 0;
  // Grow to the largest batch and pool seen, so that a search allocates nothing.
  let queryRows = new Float32Array(stride);
  let products = new Float32Array(0);
  let doubtful = new Uint32Array(0);
  let packed = new Float64Array(0);

  const add = (vectors: Float32Array, kind: typeof similarity, name = "vectors"): number => {
    const first = rows;
    const total = rows + vectors.length / dimensions;
    if (total > 0xffff_ffff) throw new KernelError("too-large", `${total} rows are more than ordinals can name.`);
    if (matrix.length < total * stride) {
      // By half again, so that rows added one by one are copied twice on average.
      const capacity = rows === 0 ? total : Math.max(total, Math.floor(rows * 1.5));
      const larger = allocate(capacity * stride);
      larger.set(matrix.subarray(0, rows * stride));
      matrix = larger;
      const marks = new Uint8Array(capacity);
      marks.set(removed.subarray(0, rows));
      removed = marks;
    }
    const length = fillRows(name, matrix, rows * stride, vectors, dimensions, kind);
    greatestLength = Math.max(greatestLength, length);
    rows = total;
    return first;
  };

  const searchEach = (
    batch: number,
    ordinals: Uint32Array | undefined,
    pool: number,
    ids: Uint32Array,
    scores: Float32Array,
    count: number,
  ): void => {
    for (let row = 0; row < batch; row += 1) {
      // In float64 once, instead of a conversion for each row it is multiplied with.
      query.set(queryRows.subarray(row * stride, (row + 1) * stride));
      dotRows(matrix, stride, ordinals, query, products, pool);
      const [from, to] = [row * count, (row + 1) * count];
      selectTop(products, ordinals, pool, ids.subarray(from, to), scores.subarray(from, to));
    }
  };

  /** Scans nearly, and scores by the definition what can be among the best. */
  const searchMaximum = (
    anchors: number,
    longestAnchor: number,
    ordinals: Uint32Array | undefined,
    pool: number,
    ids: Uint32Array,
    scores: Float32Array,
    count: number,
  ): void => {
    const used = packedLength(stride, anchors);
    if (packed.length < used) packed = new Float64Array(used);
    packAnchors(queryRows, stride, anchors, packed);
    scanMaximum(matrix, stride, ordinals, packed, used, products, pool);
    const [bestIds, bestScores] = [ids.subarray(0, count), scores.subarray(0, count)];
    selectTop(products, ordinals, pool, bestIds, bestScores);
    const reached = bestScores[count - 1]!;
    const error = maximumError(stride) * greatestLength * longestAnchor;
    const needed = reached - Math.abs(reached) * rounding - 2 * error - 2 * smallest;
    if (doubtful.length < pool) doubtful = new Uint32Array(pool);
    let left = 0;
    for (let i = 0; i < pool; i += 1) {
      if (products[i]! < needed) continue;
      const ordinal = ordinals === undefined ? i : ordinals[i]!;
      let greatest = Number.NEGATIVE_INFINITY;
      for (let anchor = 0; anchor < anchors; anchor += 1) {
        greatest = Math.max(greatest, exactDot(matrix, ordinal * stride, queryRows, anchor * stride, stride));
      }
      doubtful[left] = ordinal;
      products[left] = greatest;
      left += 1;
    }
    selectTop(products, doubtful, left, bestIds, bestScores);
  };

  add(vectors, restored ? "inner-product" : similarity, name);
  return {
    search: (queries, k, together, allow, exclude, ids, scores) => {
      const batch = queries.length / dimensions;
      if (queryRows.length < batch * stride) queryRows = allocate(batch * stride);
      const longest = fillRows("queries", queryRows, 0, queries, dimensions, similarity);
      checkOrdinalsNameRows("allow", allow, rows);
      checkOrdinalsNameRows("exclude", exclude, rows);
      const all = allow === undefined && removedCount === 0 && (exclude === undefined || exclude.length === 0);
      const ordinals = all ? undefined : pools.list(rows, allow, exclude, removed);
      const pool = ordinals?.length ?? rows;
      const count = Math.min(k, pool);
      if (count === 0 || batch === 0) return count;
      if (products.length < pool) products = allocate(pool);
      if (together) searchMaximum(batch, longest, ordinals, pool, ids, scores, count);
      else searchEach(batch, ordinals, pool, ids, scores, count);
      return count;
    },
    add: (vectors) => add(vectors, similarity),
    replace: (ordinals, vectors) => {
      checkOrdinalsNameRows("ordinals", ordinals, rows);
      const replacement = allocate(ordinals.length * stride);
      const length = fillRows("vectors", replacement, 0, vectors, dimensions, similarity);
      greatestLength = Math.max(greatestLength, length);
      const before = removedCount;
      for (const [i, ordinal] of ordinals.entries()) {
        matrix.set(replacement.subarray(i * stride, (i + 1) * stride), ordinal * stride);
        removedCount -= removed[ordinal]!;
        removed[ordinal] = 0;
      }
      return before - removedCount;
    },
    remove: (ordinals) => {
      checkOrdinalsNameRows("ordinals", ordinals, rows);
      const before = removedCount;
      for (const ordinal of ordinals) {
        matrix.fill(0, ordinal * stride, (ordinal + 1) * stride);
        removedCount += 1 - removed[ordinal]!;
        removed[ordinal] = 1;
      }
      return removedCount - before;
    },
    readRows: (first, target) => {
      for (let row = 0; row * dimensions < target.length; row += 1) {
        const from = (first + row) * stride;
        target.set(matrix.subarray(from, from + dimensions), row * dimensions);
      }
    },
    readRemoved: (target) => {
      for (let row = 0, next = 0; row < rows; row += 1) {
        if (removed[row] === 1) target[next++] = row;
      }
    },
    dispose: () => {
      matrix = products = queryRows = new Float32Array(0);
      removed = new Uint8Array(0);
      doubtful = new Uint32Array(0);
      packed = new Float64Array(0);
    },
  };
}
