/** A distribution over the sets of a pool. */
export interface SetDistribution {
  readonly logPartition: number;
  /** P(t ∈ E) of each position. */
  readonly inclusion: Float64Array;
  /** P(|E| = m), m = 0 … M. */
  readonly sizes: Float64Array;
}

/**
 * The distribution P(E) ∝ exp(Σ_{t∈E} l_t + c_|E|) over the sets of at most M tools, where no pair has a say: exact from elementary symmetric
 * polynomials, so that no set is listed. e_k of what is before a tool times e_{m−1−k} of what is behind it counts the sets of m that hold the tool.
 *
 * @param logits l, length K.
 * @param sizeOffsets c_1 … c_M.
 * @param emptyScore c_0; `undefined` where the empty set is none.
 */
export function plainDistribution(
  logits: Float64Array,
  sizeOffsets: ArrayLike<number>,
  emptyScore: number | undefined,
): SetDistribution {
  const [pool, width] = [logits.length, sizeOffsets.length + 1];
  const largest = logits.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  const weights = logits.map((logit) => Math.exp(logit - largest));
  // Row i: e_0 … e_M of the first i weights, and of those from i on.
  const before = new Float64Array((pool + 1) * width);
  const behind = new Float64Array((pool + 1) * width);
  before[0] = 1;
  behind[pool * width] = 1;
  for (let i = 0; i < pool; i++) grow(before, i * width, (i + 1) * width, weights[i]!, width);
  for (let i = pool; i-- > 0;) grow(behind, (i + 1) * width, i * width, weights[i]!, width);
  const scores = new Float64Array(width);
  for (let m = 0; m < width; m++) {
    const offset = m === 0 ? (emptyScore ?? Number.NEGATIVE_INFINITY) : sizeOffsets[m - 1]! + m * largest;
    scores[m] = offset + Math.log(before[pool * width + m]!);
  }
  const highest = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const logPartition = highest + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - highest), 0));
  const sizes = scores.map((score) => Math.exp(score - logPartition));
  const inclusion = new Float64Array(pool);
  for (let m = 1; m < width; m++) {
    const all = before[pool * width + m]!;
    if (all === 0) continue;
    for (let i = 0; i < pool; i++) {
      let sum = 0;
      for (let k = 0; k < m; k++) sum += before[i * width + k]! * behind[(i + 1) * width + m - 1 - k]!;
      inclusion[i]! += (sizes[m]! / all) * weights[i]! * sum;
    }
  }
  return { logPartition, inclusion, sizes };
}

/** e_k with one weight more: e_k + weight · e_{k−1}. */
function grow(rows: Float64Array, from: number, to: number, weight: number, width: number): void {
  rows[to] = rows[from]!;
  for (let k = 1; k < width; k++) rows[to + k] = rows[from + k]! + weight * rows[from + k - 1]!;
}
