/** Largest set, M, where neither size offsets nor pair scores say another. */
const DEFAULT_MAX_SIZE = 5;

/** What is known of the candidates of one query, as columns. */
export interface SetCandidates {
  /** Distinct tools, for instance ordinals of a catalog; length n, in any order. */
  readonly ids: Uint32Array;
  /** l, match logits; length n, finite. */
  readonly logits: Float64Array;
  /** G_2 … G_M, how much two tools gain by being in one set of that size: (M − 1) × n × n, each symmetric. None: 0. */
  readonly pairScores?: Float64Array;
  /** c_1 … c_M, length M; −Infinity forbids a size. None: 0 for each. */
  readonly sizeOffsets?: Float64Array;
  /** c_0, the score of the empty set. None: some tool fits, for certain. */
  readonly emptyScore?: number;
}

/** M: what the size offsets say, else the pair scores, else 5. */
export function maxSizeOf({ ids, pairScores, sizeOffsets }: SetCandidates): number {
  if (sizeOffsets !== undefined) return sizeOffsets.length;
  if (pairScores === undefined || ids.length === 0) return DEFAULT_MAX_SIZE;
  return pairScores.length / ids.length ** 2 + 1;
}
