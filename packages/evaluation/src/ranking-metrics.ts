/*
 * Ranking metrics with binary gains, for one query. A ranking is a list of tool ids, best first; a gold set is a list of ids.
 * A repeated id counts once, at its first place. With an empty gold set there is nothing to find: every metric is NaN, and
 * `evaluate` leaves such queries out of the means.
 */

/** Distinct ids in order of first appearance, cut to the first `k`. */
function head(ranking: readonly string[], k: number): readonly string[] {
  const distinct = new Set<string>();
  for (const id of ranking) {
    if (distinct.size >= k) break;
    distinct.add(id);
  }
  return [...distinct];
}

/** Recall@k = |gold ∩ first k| / |gold|, in 0..1. */
export function recallAtK(ranking: readonly string[], gold: readonly string[], k: number): number {
  const wanted = new Set(gold);
  const found = head(ranking, k).filter((id) => wanted.has(id)).length;
  return wanted.size === 0 ? Number.NaN : found / wanted.size;
}

/** COMP@k: 1 when the whole gold set is within the first k, else 0. */
export function completenessAtK(ranking: readonly string[], gold: readonly string[], k: number): number {
  const recall = recallAtK(ranking, gold, k);
  return Number.isNaN(recall) ? recall : Number(recall === 1);
}

/** NDCG@k = Σ_{i ≤ k, hit} 1/log2(i + 1) over its value for a perfect ranking, in 0..1 (Järvelin and Kekäläinen 2002). */
export function ndcgAtK(ranking: readonly string[], gold: readonly string[], k: number): number {
  const wanted = new Set(gold);
  if (wanted.size === 0) return Number.NaN;
  let gain = 0;
  for (const [index, id] of head(ranking, k).entries()) if (wanted.has(id)) gain += discount(index);
  let ideal = 0;
  for (let index = 0; index < Math.min(k, wanted.size); index++) ideal += discount(index);
  return ideal === 0 ? 0 : gain / ideal;
}

/** AP@k = mean over the gold set (at most k of it) of the precision at each hit, in 0..1; its mean over queries is MAP@k. */
export function averagePrecisionAtK(ranking: readonly string[], gold: readonly string[], k: number): number {
  const wanted = new Set(gold);
  if (wanted.size === 0) return Number.NaN;
  let hits = 0;
  let total = 0;
  for (const [index, id] of head(ranking, k).entries()) {
    if (!wanted.has(id)) continue;
    hits += 1;
    total += hits / (index + 1);
  }
  return k === 0 ? 0 : total / Math.min(k, wanted.size);
}

/** Gain of a hit at 0-based `index`. */
function discount(index: number): number {
  return 1 / Math.log2(index + 2);
}
