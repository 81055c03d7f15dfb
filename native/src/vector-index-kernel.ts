/**
 * What a score is: the inner product of query and row as they are, or the same after each was divided by its length (0
 * where one of them is all zeros). Over rows of length 1 both are the cosine; `inner-product` then saves the division.
 */
export type Similarity = "inner-product" | "cosine";

/** The state behind one `VectorIndex`; arguments were checked by the face, but for what depends on the numbers themselves. */
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
