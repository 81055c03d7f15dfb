/*
 * A distribution over sets of tools: P(E | x) ∝ exp F(E), F(E) = Σ_{t∈E} l_t + c_|E|, |E| ≤ M, the empty set included.
 *
 * Without pair terms everything is exact from elementary symmetric polynomials of w_t = exp(l_t), no set is ever listed:
 *   Z              = Σ_m exp(c_m) e_m(w)
 *   P(|E| = m)     = exp(c_m) e_m(w) / Z
 *   P(t ∈ E, |E| = m) = exp(c_m) w_t e_{m−1}(w without t) / Z
 * From the same numbers come the likeliest set, each tool's probability, the right size and 'nothing fits'.
 * (HYSET's set score with F_set = 0 and additive alignment.)
 */

/** Everything known of the sets over one pool of n tools, at most M in a set. */
export interface SetDistribution {
  /** P(|E| = m), length M + 1; index 0 is 'nothing fits'. */
  readonly sizes: Float64Array;
  /** P(t ∈ E), length n. */
  readonly inclusion: Float64Array;
  /** P(t ∈ E, |E| = m) at `t * (M + 1) + m`, length n × (M + 1). */
  readonly inclusionBySize: Float64Array;
  /** log Z. */
  readonly logZ: number;
}

/**
 * The distribution over sets for `logits` (l, length n) and `sizeOffsets` (c_0 … c_M; `-Infinity` rules a size out).
 * With no tools all probability lies on the empty set.
 */
export function setDistribution(logits: Float64Array, sizeOffsets: Float64Array): SetDistribution {
  const count = logits.length;
  const width = sizeOffsets.length;
  const highest = count === 0 ? 0 : logits.reduce((best, logit) => Math.max(best, logit), -Infinity);
  const weights = logits.map((logit) => Math.exp(logit - highest));
  const before = prefixPolynomials(weights, width);
  const after = prefixPolynomials(weights.toReversed(), width);

  const all = before.subarray(count * width, (count + 1) * width);
  // Terms in log space, since c_m + m·highest may be far from 0 in either direction.
  const logTerms = Float64Array.from(all, (value, m) => Math.log(value) + (sizeOffsets[m] ?? 0) + m * highest);
  const logZ = logSumExp(logTerms);
  const sizes = logTerms.map((term) => (logZ === -Infinity ? 0 : Math.exp(term - logZ)));
  if (logZ === -Infinity) sizes[0] = 1;

  const inclusion = new Float64Array(count);
  const inclusionBySize = new Float64Array(count * width);
  for (let t = 0; t < count; t++) {
    for (let m = 1; m < width; m++) {
      const total = all[m] ?? 0;
      if (total === 0) continue;
      const share = ((weights[t] ?? 0) * without(before, after, t, count, width, m - 1)) / total;
      const joint = share * (sizes[m] ?? 0);
      inclusionBySize[t * width + m] = joint;
      inclusion[t] = (inclusion[t] ?? 0) + joint;
    }
  }
  return { sizes, inclusion, inclusionBySize, logZ };
}

/** e_0 … e_{width−1} of the first i weights, for every i from 0 to n, row by row. */
function prefixPolynomials(weights: Float64Array, width: number): Float64Array {
  const rows = new Float64Array((weights.length + 1) * width);
  rows[0] = 1;
  for (let i = 0; i < weights.length; i++) {
    const row = i * width;
    for (let m = 0; m < width; m++) {
      const taken = m === 0 ? 0 : (weights[i] ?? 0) * (rows[row + m - 1] ?? 0);
      rows[row + width + m] = (rows[row + m] ?? 0) + taken;
    }
  }
  return rows;
}

/** e_m of all weights but the t-th: a convolution of what stands before and after it (no subtraction, so no cancellation). */
function without(
  before: Float64Array,
  after: Float64Array,
  t: number,
  count: number,
  width: number,
  m: number,
): number {
  let sum = 0;
  for (let j = 0; j <= m; j++) sum += (before[t * width + j] ?? 0) * (after[(count - 1 - t) * width + m - j] ?? 0);
  return sum;
}

function logSumExp(terms: Float64Array): number {
  const highest = terms.reduce((best, term) => Math.max(best, term), -Infinity);
  if (highest === -Infinity) return -Infinity;
  return highest + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - highest), 0));
}
