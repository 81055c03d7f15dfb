import type { QueryColumns } from "./query-columns.ts";
import { baseColumns, type HybridSetting, rankingMean, scoreColumns } from "./score-columns.ts";

/** Values of each constant; every combination is a setting. */
export type SettingGrid = { readonly [constant in keyof HybridSetting]: readonly number[] };

/** One encoder's queries on one data set. */
export interface ColumnSet {
  readonly name: string;
  readonly queries: readonly QueryColumns[];
}

/** What each setting is worth on each query of a data set. */
export interface MeasuredSet {
  readonly name: string;
  readonly queries: number;
  /** Settings × queries: the mean of R@5, C@5, NDCG@10 and C@10, in per cent. */
  readonly values: Float32Array;
}

/** All combinations; those that differ in votes' and clauses' shares and the bonus alone stand next to each other. */
export function settingsOf(grid: SettingGrid): readonly HybridSetting[] {
  return grid.wordWeight.flatMap((wordWeight) =>
    grid.voteTemperature.flatMap((voteTemperature) =>
      grid.clauseShare.flatMap((clauseShare) =>
        grid.clauseVote.flatMap((clauseVote) =>
          grid.nameBonus.map((nameBonus) => ({ wordWeight, voteTemperature, clauseShare, clauseVote, nameBonus })),
        ),
      ),
    ),
  );
}

/** Measures every setting on every query. */
export function measureSettings({ name, queries }: ColumnSet, settings: readonly HybridSetting[]): MeasuredSet {
  const values = new Float32Array(settings.length * queries.length);
  for (const [query, columns] of queries.entries()) {
    const scores = new Float64Array(columns.pool.length);
    // A query of one clause knows neither clauses' shares nor votes.
    const known = new Map<string, number>();
    let base = baseColumns(columns, 0, 1);
    let before: HybridSetting | undefined;
    for (const [at, setting] of settings.entries()) {
      const key = `${setting.wordWeight} ${setting.nameBonus}`;
      let value = columns.parts > 1 ? undefined : known.get(key);
      if (value === undefined) {
        if (before?.wordWeight !== setting.wordWeight || before.voteTemperature !== setting.voteTemperature)
          base = baseColumns(columns, setting.wordWeight, setting.voteTemperature);
        before = setting;
        value = 100 * rankingMean(scoreColumns(columns, base, setting, scores), columns.right);
        if (columns.parts === 1) known.set(key, value);
      }
      values[at * queries.length + query] = value;
    }
  }
  return { name, queries: queries.length, values };
}

/** The values of one setting, query by query. */
export function valuesOf({ values, queries }: MeasuredSet, setting: number): Float32Array {
  return values.subarray(setting * queries, (setting + 1) * queries);
}
