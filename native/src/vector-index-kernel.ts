/**
 * What a score is: the inner product of query and row as they are, or the same after each was divided by its length (0
 * where one of them is all zeros). Over rows of length 1 both are the cosine; `inner-product` then saves the division.
 */
export type Similarity = "inner-product" | "cosine";

/**
 * What a scan reads of a row: its float32 numbers, or one byte a number, kept beside them (a quarter more memory), from which
 * the rows that can be among the best are found and then scored by their float32 numbers. The answers are the same.
 */
export type Precision = "float32" | "int8";

/** How an index is made. */
export interface VectorIndexShape {
  /** Numbers in a row. */
  readonly dimensions: number;
  readonly similarity: Similarity;
  readonly precision: Precision;
  /** Threads that scan, the calling one among them. */
  readonly threads: number;
}

/** The state behind one `VectorIndex`; arguments were checked by the face, but for what depends on the numbers themselves. */
export interface VectorIndexKernel {
  /**
   * Fills `ids` and `scores` (each with room for queries × min(k, rows), or for one query when they are answered `together`:
   * a row's score is then the greatest that a query gives it), query by query, and returns how many answers a query has.
   */
  search(
    queries: Float32Array,
    k: number,
    together: boolean,
    allow: Uint32Array | undefined,
    exclude: Uint32Array | undefined,
    ids: Uint32Array,
    scores: Float32Array,
  ): number;
  /** Adds rows behind the last and returns the ordinal of the first. An error leaves the index as it was. */
  add(vectors: Float32Array): number;
  /**
   * Puts vectors in the places of rows, of removed ones too, and returns how many of these came back. Of an ordinal that comes
   * twice the last counts. An error leaves the index as it was.
   */
  replace(ordinals: Uint32Array, vectors: Float32Array): number;
  /** Empties the places of rows and returns how many were there. An error leaves the index as it was. */
  remove(ordinals: Uint32Array): number;
  /** Copies rows from `first` on, as many as `target` holds, as they are searched; a removed one is zeros. */
  readRows(first: number, target: Float32Array): void;
  /** Writes the ordinals of all removed rows, ascending; `target` has room for exactly them. */
  readRemoved(target: Uint32Array): void;
  /** Frees the memory; no call follows. */
  dispose(): void;
}
