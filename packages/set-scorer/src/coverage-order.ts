import { byValue } from "./by-value.ts";
import type { SetScores } from "./score-sets.ts";
import { hasNoConstraints, keepsConstraints, scoreOfMembers, setKey } from "./set-score.ts";

/*
 * V(T) = P(E ⊆ T | x, E ≠ ∅) + ρ · Σ_{t∈T} P(t ∈ E | x) / E|E|.
 *
 * The first term is the expected completeness of T, the second (nearly) its expected recall. The first three places go to the three tools of
 * the largest V, the next two to those that with them make V largest; by inclusion within each, which is the order of the largest expected
 * NDCG. Exact over the ten likeliest tools.
 */

/** Tools that are tried for the first five places: 120 threes, then 21 twos. */
const TRIED = 10;
/** ρ. */
const RECALL_WEIGHT = 0.5;
/** Places are filled up to these, in turn. */
const STEPS = [3, 5] as const;

/** The first five positions of the pool, or all of a smaller one. */
export function coverageOrder(scored: SetScores): number[] {
  const tried = byValue(scored.pool, scored.inclusion).slice(0, TRIED);
  const covered = coveredShares(scored, tried);
  const size = scored.expectedSize || 1;
  const recall = tried.map((position) => (RECALL_WEIGHT * (scored.inclusion[position] ?? 0)) / size);
  let chosen = 0;
  const order: number[] = [];
  for (const step of STEPS) {
    const next = bestExtension(chosen, Math.min(step, tried.length), recall, covered);
    for (let place = 0; place < tried.length; place++) {
      if (((next & ~chosen) >> place) & 1) order.push(tried[place]!);
    }
    chosen = next;
  }
  return order;
}

/** The superset of `chosen` with `size` tools that has the largest V, as bits of places; the first on ties. */
function bestExtension(chosen: number, size: number, recall: readonly number[], covered: Float64Array): number {
  let best = -1;
  let bestValue = Number.NEGATIVE_INFINITY;
  for (let mask = chosen; mask < covered.length; mask++) {
    if ((mask & chosen) !== chosen || bitsOf(mask) !== size) continue;
    let value = covered[mask]!;
    for (let place = 0; place < recall.length; place++) if ((mask >> place) & 1) value += recall[place]!;
    if (value > bestValue) [best, bestValue] = [mask, value];
  }
  return best;
}

/** By set of tried tools as bits: P(E ⊆ T | x, E ≠ ∅), by summing e^(F − log Z) over subsets, one place at a time. */
export function coveredShares(scored: SetScores, tried: readonly number[]): Float64Array {
  const shares = new Float64Array(1 << tried.length);
  const something = 1 - scored.probabilityNothingFits || 1;
  const { problem, gains } = scored;
  const { maxSize, maxTools = maxSize } = problem.request;
  const isFree = hasNoConstraints(problem.request);
  for (let mask = 1; mask < shares.length; mask++) {
    if (bitsOf(mask) > Math.min(maxSize, maxTools)) continue;
    const members = membersOf(mask, tried);
    if (!isFree && !keepsConstraints(problem.request, members)) continue;
    const gain = gains === undefined || members.length < 2 ? 0 : (gains.get(setKey(members)) ?? 0);
    shares[mask] = Math.exp(scoreOfMembers(problem, members) + gain - scored.logZ) / something;
  }
  for (let place = 0; place < tried.length; place++) {
    for (let mask = 0; mask < shares.length; mask++) {
      if ((mask >> place) & 1) shares[mask]! += shares[mask ^ (1 << place)]!;
    }
  }
  return shares;
}

function membersOf(mask: number, tried: readonly number[]): number[] {
  const members: number[] = [];
  for (let place = 0; place < tried.length; place++) if ((mask >> place) & 1) members.push(tried[place]!);
  return members;
}

function bitsOf(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
