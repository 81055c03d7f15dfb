import type { SetDistribution } from "./set-distribution.ts";

/**
 * What the caller wants of the set:
 * `complete`: miss nothing, as long as it is worth it: tools are added while each makes the answer complete often enough (a missing tool
 * fails an agent, a spare one costs some tokens); `balanced`: the largest expected F1; `exact`: the likeliest set.
 */
export type Goal = "complete" | "balanced" | "exact";

/**
 * How often, of a hundred requests, one more tool must make the answer complete to be worth its tokens, as a share. So large that answers have
 * five tools on average, over data sets (docs/quality.md).
 */
export const PRICE_OF_A_TOOL = 0.05;

/**
 * Expected F1 of the first k tools of the pool against the unknown right set E, for k = 1 … n at index k − 1:
 * Σ_m Σ_{t ≤ k} P(t ∈ E, |E| = m) · 2/(k + m). Exact, since F1 depends on E only through its size and its tools.
 */
export function expectedF1(distribution: SetDistribution): Float64Array {
  const width = distribution.sizes.length;
  const count = distribution.inclusion.length;
  const hitsBySize = new Float64Array(width);
  const values = new Float64Array(count);
  for (let k = 1; k <= count; k++) {
    let value = 0;
    for (let m = 1; m < width; m++) {
      const hits = (hitsBySize[m] ?? 0) + (distribution.inclusionBySize[(k - 1) * width + m] ?? 0);
      hitsBySize[m] = hits;
      value += (2 * hits) / (k + m);
    }
    values[k - 1] = value;
  }
  return values;
}

/** The k ≥ 1 of the largest expected F1, the smaller on ties; 0 for an empty pool. */
export function balancedSize(distribution: SetDistribution): number {
  return firstMaximum(expectedF1(distribution)) + 1;
}

/**
 * How surely the k-th tool is the last that was missing, to this power: without logs the distribution is too sure of itself. Chosen on train and dev
 * queries, of 0.5, 0.7, 1 and 1.45.
 */
const SPREAD = 0.7;

/**
 * The k ≥ 1 of the largest C(k) − price · k, the smaller on ties; 0 for an empty pool. C(k) is the share of the first k of all steps
 * (P(E ⊆ the first k) − P(E ⊆ the first k − 1))^{@link SPREAD}. Of all rules with the same mean size this one is complete most often, if C is right: a tool
 * goes where it adds most.
 *
 * @param covered P(E ⊆ the first k) for k = 0 … n, see `coverage`.
 */
export function completeSize(covered: Float64Array, price: number = PRICE_OF_A_TOOL): number {
  const steps = covered.subarray(1).map((value, k) => Math.max(0, value - (covered[k] ?? 0)) ** SPREAD);
  const whole = steps.reduce((sum, step) => sum + step, 0) || 1;
  let sum = 0;
  return firstMaximum(steps.map((step, k) => (sum += step) / whole - price * (k + 1))) + 1;
}

/**
 * The size of the likeliest non-empty set. Without pair terms the best set of m tools is the first m, so the likeliest set
 * maximises Σ_{t ≤ m} l_t + c_m.
 */
export function likeliestSize(logits: Float64Array, sizeOffsets: Float64Array): number {
  const largest = Math.min(logits.length, sizeOffsets.length - 1);
  const values = new Float64Array(largest);
  let sum = 0;
  for (let m = 1; m <= largest; m++) {
    sum += logits[m - 1] ?? 0;
    values[m - 1] = sum + (sizeOffsets[m] ?? 0);
  }
  return firstMaximum(values) + 1;
}

/** Index of the largest value, the first on ties; −1 for none. */
function firstMaximum(values: Float64Array): number {
  let best = -1;
  for (let i = 0; i < values.length; i++) {
    if (best < 0 || (values[i] ?? 0) > (values[best] ?? 0)) best = i;
  }
  return best;
}
