import { openKernels, setDistributions } from "@setwise/native";

/*
 * A distribution over sets of tools: P(E | x) ∝ exp F(E), F(E) = Σ_{t∈E} l_t + c_|E|, |E| ≤ M, the empty set included.
 *
 * Without pair terms everything is exact from elementary symmetric polynomials of w_t = exp(l_t), no set is ever listed:
 *   Z              = Σ_m exp(c_m) e_m(w)
 *   P(|E| = m)     = exp(c_m) e_m(w) / Z
 *   P(t ∈ E, |E| = m) = exp(c_m) w_t e_{m−1}(w without t) / Z
 *   P(E ⊆ the first k) = Z of the first k alone / Z
 * From the same numbers come the likeliest set, each tool's probability, the right size and 'nothing fits'.
 * (HYSET's set score with F_set = 0 and additive alignment. With pair terms sets are enumerated: `@setwise/set-scorer`.)
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

/** One query is too little work for the addon to be loaded for it; the bits are the same. */
const kernels = openKernels("typescript");

/**
 * The distribution over sets for `logits` (l, length n) and `sizeOffsets` (c_0 … c_M; `-Infinity` rules a size out).
 * With no tools all probability lies on the empty set.
 */
export function setDistribution(logits: Float64Array, sizeOffsets: Float64Array): SetDistribution {
  const { logZ, ...columns } = setDistributions(logits, sizeOffsets, { kernels });
  return { ...columns, logZ: logZ[0] ?? -Infinity };
}

/**
 * P(E ⊆ the first k), for k = 0 … n: how probable it is that the first k miss nothing. `logits` are best first.
 *
 * With T_m the sum of the first m logits, a_m(k) is e_m of the first k weights as a share of exp(T_m), its largest term, so that nothing
 * overflows: a_m(k) = a_m(k − 1) + exp(l_k − l_m) · a_{m−1}(k − 1).
 */
export function coverage(
  logits: Float64Array,
  sizeOffsets: Float64Array,
  { logZ }: Pick<SetDistribution, "logZ"> = setDistribution(logits, sizeOffsets),
): Float64Array {
  const shares = new Float64Array(sizeOffsets.length);
  shares[0] = 1;
  const scales = Float64Array.from(sizeOffsets, (offset) => offset - logZ);
  for (let m = 1, sum = 0; m < scales.length && m <= logits.length; m++) {
    sum += logits[m - 1] ?? 0;
    scales[m] = (scales[m] ?? 0) + sum;
  }
  const covered = (): number => shares.reduce((sum, share, m) => sum + share * Math.exp(scales[m] ?? 0), 0);
  const values = new Float64Array(logits.length + 1);
  values[0] = covered();
  for (let k = 1; k <= logits.length; k++) {
    for (let m = Math.min(k, shares.length - 1); m > 0; m--) {
      const step = Math.exp((logits[k - 1] ?? 0) - (logits[m - 1] ?? 0));
      shares[m] = (shares[m] ?? 0) + step * (shares[m - 1] ?? 0);
    }
    values[k] = covered();
  }
  return values;
}
