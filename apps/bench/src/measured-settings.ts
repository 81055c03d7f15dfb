import type { QueryColumns } from "./query-columns.ts";
import {
  type BaseColumns,
  baseColumns,
  beliefIn,
  type HybridSetting,
  rankingMean,
  scoreColumns,
} from "./score-columns.ts";

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

const constants = [
  "wordWeight",
  "fullEvidence",
  "evidencePower",
  "voteTemperature",
  "clauseShare",
  "clauseVote",
  "nameBonus",
] as const;

/** All combinations; those that differ in votes' and clauses' shares and the bonus alone stand next to each other. */
export function settingsOf(grid: SettingGrid): readonly HybridSetting[] {
  let all: readonly Partial<HybridSetting>[] = [{}];
  for (const constant of constants)
    all = all.flatMap((setting) => grid[constant].map((value) => ({ ...setting, [constant]: value })));
  return all as readonly HybridSetting[];
}

/** Measures every setting on every query. */
export function measureSettings({ name, queries }: ColumnSet, settings: readonly HybridSetting[]): MeasuredSet {
  const values = new Float32Array(settings.length * queries.length);
  for (const [query, columns] of queries.entries()) {
    const scores = new Float64Array(columns.pool.length);
    const known = new Map<string, number>();
    let base: BaseColumns | undefined;
    let baseKey = "";
    for (const [at, setting] of settings.entries()) {
      const [ofBase, key] = keysOf(columns, setting);
      let value = known.get(key);
      if (value === undefined) {
        if (base === undefined || ofBase !== baseKey) base = baseColumns(columns, setting);
        baseKey = ofBase;
        value = 100 * rankingMean(scoreColumns(columns, base, setting, scores), columns.right);
        known.set(key, value);
      }
      values[at * queries.length + query] = value;
    }
  }
  return { name, queries: queries.length, values };
}

/** Of what the base columns and the value of a query depend: one of one clause knows neither clauses' shares nor votes. */
function keysOf(columns: QueryColumns, setting: HybridSetting): readonly [base: string, value: string] {
  const base = `${setting.wordWeight} ${beliefIn(columns, setting)}`;
  if (columns.parts === 1) return [base, `${base} ${setting.nameBonus}`];
  const ofClauses = `${base} ${setting.voteTemperature}`;
  return [ofClauses, `${ofClauses} ${setting.clauseShare} ${setting.clauseVote} ${setting.nameBonus}`];
}

/** The values of one setting, query by query. */
export function valuesOf({ values, queries }: MeasuredSet, setting: number): Float32Array {
  return values.subarray(setting * queries, (setting + 1) * queries);
}
