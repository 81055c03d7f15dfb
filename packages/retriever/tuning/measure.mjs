// Recall@5, completeness@5, NDCG@10 and completeness@10, averaged over queries, in per cent.

export const measures = ["R@5", "C@5", "NDCG@10", "C@10"];

/** @param rank Gives the ordinals for a query, best first. */
export function measure(queries, rank) {
  const sums = [0, 0, 0, 0];
  for (const { query, gold } of queries) {
    const ids = rank(query);
    const isGold = new Set(gold);
    let found = 0;
    let gain = 0;
    let foundIn5 = 0;
    for (let place = 0; place < Math.min(10, ids.length); place++) {
      if (!isGold.has(ids[place])) continue;
      found++;
      if (place < 5) foundIn5++;
      gain += 1 / Math.log2(place + 2);
    }
    let ideal = 0;
    for (let place = 0; place < Math.min(10, gold.length); place++) ideal += 1 / Math.log2(place + 2);
    sums[0] += foundIn5 / gold.length;
    sums[1] += foundIn5 === gold.length ? 1 : 0;
    sums[2] += gain / ideal;
    sums[3] += found === gold.length ? 1 : 0;
  }
  return sums.map((sum) => (100 * sum) / queries.length);
}

/** Means of several rows of equal length, column by column. */
export const means = (rows) =>
  rows[0].map((_, column) => rows.reduce((sum, row) => sum + row[column], 0) / rows.length);

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
