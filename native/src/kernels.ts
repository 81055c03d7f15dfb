/** The SIMD level of a native kernel, or `none` for the kernels in TypeScript. */
export type SimdLevel = "avx512" | "avx2" | "neon" | "scalar" | "none";

/**
 * What a score is: the inner product of query and row as they are, or the same after each was divided by its length (0
 * where one of them is all zeros). Over rows of length 1 both are the cosine; `inner-product` then saves the division.
 */
export type Similarity = "inner-product" | "cosine";

/**
 * One implementation of all kernels. Both give the same bits, so a caller needs to know which one runs only to measure.
 * The arguments were checked by the face; only what depends on the numbers themselves is checked behind this interface.
 */
export interface Kernels {
  readonly implementation: "native" | "typescript";
  readonly simd: SimdLevel;
  /** Copies `vectors` (rows × dimensions). */
  createVectorIndex(dimensions: number, vectors: Float32Array, similarity: Similarity): VectorIndexKernel;
}

/** The state behind one {@link VectorIndex}. */
export interface VectorIndexKernel {
  /**
   * Fills `ids` and `scores` (each with room for queries × min(k, rows)), query by query, and returns how many answers a
   * query has.
   */
  search(
    queries: Float32Array,
    k: number,
    allow: Uint32Array | undefined,
    ids: Uint32Array,
    scores: Float32Array,
  ): number;
  /** Frees the memory; no search follows. */
  dispose(): void;
}
