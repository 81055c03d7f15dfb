/** A set of tools with its score. */
export interface ToolSet {
  /** Catalog ordinals, ascending. */
  readonly ids: Uint32Array;
  /** F(E), unnormalised. */
  readonly score: number;
  /** P(E | query) under the distribution over sets. */
  readonly probability: number;
}

/** What is known of the sets over one pool of candidates: P(E | x) ∝ exp F(E). */
export interface ScoredSets {
  /** Catalog ordinals of the pool, length n. */
  readonly pool: Uint32Array;
  /** Best sets, best first; ties: smaller set, then lexicographically smaller ids. */
  readonly best: readonly ToolSet[];
  /** P(t ∈ E | x) for each tool of `pool`, length n. */
  readonly inclusion: Float64Array;
  /** log Σ exp F(E) over all sets considered, the empty one included. */
  readonly logZ: number;
}
