/**
 * How the logits of the members make up the alignment of a set: their sum, or their mean weighted by their softmax over the
 * members (HYSET, equation 3).
 */
export type Alignment = "sum" | "softmax";

/**
 * A checked request: what both implementations take. Everything is by position in the pool of K candidates. Where there are
 * several queries, their logits and pair scores stand one behind the other and all else holds for each.
 */
export interface HyperedgeRequest {
  /** K. */
  readonly pool: number;
  /** l, K numbers a query. */
  readonly logits: Float64Array;
  /** G_2 … G_M a query or once for all queries, each K × K and symmetric. */
  readonly pairScores: Float64Array;
  /** M. */
  readonly maxSize: number;
  readonly alignment: Alignment;
  /** c_1 … c_M, or empty for zeros. */
  readonly sizeOffsets: Float64Array;
  /** c_0, or NaN when the empty set takes no part. */
  readonly emptyScore: number;
  readonly require: Uint32Array;
  readonly exclude: Uint32Array;
  /** Where each group ends in `groupMembers`. */
  readonly groupEnds: Uint32Array;
  readonly groupMembers: Uint32Array;
  /** K costs, or empty. */
  readonly tokens: Uint32Array;
  /** Infinity when there is no budget. */
  readonly maxTokens: number;
  /** At most K; sets that are enumerated hold M at most as well. */
  readonly maxTools: number;
}

/** Where the answers go: room for as many sets as are wanted. */
export interface SetColumns {
  readonly scores: Float64Array;
  /** One more than sets; the first stays 0. */
  readonly offsets: Uint32Array;
  /** M a set. */
  readonly members: Uint32Array;
  /** Empty, or log Z, then K probabilities of candidates, then M + 1 of sizes. */
  readonly distribution: Float64Array;
}
