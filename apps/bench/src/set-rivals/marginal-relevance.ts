import { fitOrder, greedyOrder, shareOfRange } from "./greedy-order.ts";
import type { RivalPool, SetRival } from "./rival.ts";

/** λ; 1 is the match alone. */
const weights = [1, 0.95, 0.9, 0.8, 0.7, 0.5, 0.3] as const;

/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998): next comes the tool of the largest λ · rel(t) − (1 − λ) · max_{s taken} cos(z_s, z_t),
 * rel being log p brought to 0..1 over the pool. The set is the first k.
 */
export const marginalRelevance: SetRival = {
  name: "MMR, first k",
  fit: (development) => fitOrder(development, "λ", weights, marginalOrder),
};

/** Places of a pool by maximal marginal relevance. */
export function marginalOrder({ evidence, similarity }: RivalPool, weight: number): number[] {
  const relevance = shareOfRange(evidence.logProbabilities);
  const count = relevance.length;
  return greedyOrder(count, (place, taken) => {
    const nearest = taken.reduce((most, other) => Math.max(most, similarity[place * count + other] ?? 0), 0);
    return weight * (relevance[place] ?? 0) - (1 - weight) * nearest;
  });
}
