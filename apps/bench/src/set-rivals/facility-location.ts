import { fitOrder, greedyOrder, shareOfRange } from "./greedy-order.ts";
import type { RivalPool, SetRival } from "./rival.ts";

/** γ; at 0 only what is covered counts. */
const weights = [0, 0.03, 0.1, 0.3, 1, 3] as const;

/**
 * Facility location with relevance: f(E) = Σ_{v∈pool} p_v max_{t∈E} max(0, cos(z_v, z_t)) + γ Σ_{t∈E} rel(t), rel being log p brought to 0..1 over the pool. f is monotone and
 * submodular, so that the greedy order is at least 1 − 1/e of the best for each size (Nemhauser, Wolsey and Fisher 1978). The set is the first k.
 */
export const facilityLocation: SetRival = {
  name: "facility location, first k",
  fit: (development) => fitOrder(development, "γ", weights, facilityOrder),
};

/** Places of a pool in the greedy order of f. */
export function facilityOrder({ evidence, similarity }: RivalPool, weight: number): number[] {
  const relevance = shareOfRange(evidence.logProbabilities);
  const count = relevance.length;
  const covered = (place: number, other: number): number => Math.max(0, similarity[place * count + other] ?? 0);
  return greedyOrder(count, (place, taken) => {
    let gain = weight * (relevance[place] ?? 0);
    for (let other = 0; other < count; other++) {
      const before = taken.reduce((most, chosen) => Math.max(most, covered(chosen, other)), 0);
      gain += Math.exp(evidence.logProbabilities[other] ?? 0) * Math.max(0, covered(place, other) - before);
    }
    return gain;
  });
}
