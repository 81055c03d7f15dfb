import type { LabelledQuery } from "@setwise/core";
import { completenessAtK, ndcgAtK, recallAtK } from "@setwise/evaluation";

/** R@5, C@5, NDCG@10 and C@10 of one query, in 0..1. */
export type RankingRow = readonly [recall5: number, completeness5: number, ndcg10: number, completeness10: number];

export const rankingColumns = ["R@5", "C@5", "NDCG@10", "C@10"] as const;

/** The row of a ranking of at least ten tools, best first; `undefined` where no gold tool is known. */
export function rankingRow(
  ranking: readonly string[],
  { tools }: LabelledQuery,
  isKnown: (id: string) => boolean,
): RankingRow | undefined {
  const gold = tools.filter(isKnown);
  if (gold.length === 0) return undefined;
  return [
    recallAtK(ranking, gold, 5),
    completenessAtK(ranking, gold, 5),
    ndcgAtK(ranking, gold, 10),
    completenessAtK(ranking, gold, 10),
  ];
}

/** The means of each column, in per cent. */
export function meansOf(rows: readonly RankingRow[]): readonly number[] {
  return rankingColumns.map((_, column) => 100 * mean(rows.map((row) => row[column] ?? 0)));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
