import { coveredShares } from "./coverage-order.ts";
import type { SetScores } from "./score-sets.ts";

/** Sums over subsets, 1,024 of them; answers have hardly more. */
const MOST_TOOLS = 10;

/**
 * P(E ⊆ the first k of `order` | x, E ≠ ∅) for k = 0 … n: how probable it is that the first k miss nothing. Exact, gains of known sets included.
 *
 * @param order Tools of the pool, at most 10 of which are looked at; those that every set holds belong to the front.
 */
export function coverageOf(scored: SetScores, order: Uint32Array): Float64Array {
  const positions = Array.from(order.subarray(0, MOST_TOOLS), (tool) => scored.pool.indexOf(tool));
  const shares = coveredShares(scored, positions);
  return Float64Array.from({ length: positions.length + 1 }, (_, k) => shares[(1 << k) - 1] ?? 0);
}
