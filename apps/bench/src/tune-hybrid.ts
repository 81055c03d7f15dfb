import { VectorIndex } from "@setwise/native";
import { embedTools, encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import type { Encoder } from "@setwise/core";
import { chooseSetting, compareSettings, differences, leaveOneOut } from "./choose-setting.ts";
import { hybridSplits, watchedSplits } from "./data-sets.ts";
import { encoderLevels } from "./levels.ts";
import { type ColumnSet, type MeasuredSet, measureSettings, settingsOf, valuesOf } from "./measured-settings.ts";
import { columnsOf, type QueryColumns } from "./query-columns.ts";
import { mean } from "./ranking-row.ts";
import { baseColumns, type HybridSetting, scoreColumns } from "./score-columns.ts";
import { readTrainSets, type TrainSet } from "./train-sets.ts";

/*
 * Chooses the constants by which words, meaning, clauses and names come together, on train and dev queries, for each encoder and for
 * both at once, by the mean over data sets of the mean of R@5, C@5, NDCG@10 and C@10: the best setting, and the best that no data
 * set pays for. The data sets of `watchedSplits` are measured and choose nothing. Each data set is left out once and measured with
 * what the others choose, and what is chosen is compared with the present setting by the paired bootstrap: it is replaced only by
 * one that gains on data sets which did not choose it. The values go into packages/retriever/src/lexical-options.ts,
 * score-query.ts and clause-votes.ts by hand.
 */

const grid = {
  wordWeight: [0.4, 0.5, 0.6, 0.7],
  fullEvidence: [0, 2, 2.25, 2.5, 3],
  evidencePower: [1, 2, 3],
  clauseShare: [0.3, 0.4, 0.5],
  clauseVote: [0.3, 0.4, 0.5],
  voteTemperature: [0.05, 0.07, 0.1],
  nameBonus: [0.1, 0.2, 0.3],
};
/** What the retriever has. */
const present: HybridSetting = {
  wordWeight: 0.5,
  fullEvidence: 2.25,
  evidencePower: 2,
  clauseShare: 0.4,
  clauseVote: 0.4,
  voteTemperature: 0.07,
  nameBonus: 0.2,
};
const settings = settingsOf(grid);
/** So many candidates are compared with those of `retrieve`, to see that the formula is still the retriever's. */
const COMPARED = 10;

interface Level {
  readonly name: string;
  readonly chosenOn: readonly MeasuredSet[];
  readonly watched: readonly MeasuredSet[];
}

export async function tuneHybrid(
  folder: string,
  print: (line: string) => void,
  { cache }: { readonly cache?: string | undefined } = {},
): Promise<void> {
  const chosenOn = await readTrainSets(folder, hybridSplits);
  const watched = await readTrainSets(folder, watchedSplits);
  const levels: Level[] = [];
  for (const { name, encoder } of await encoderLevels(cache)) {
    if (encoder === undefined) continue;
    const measure = async (set: TrainSet): Promise<MeasuredSet> =>
      measureSettings(await columnsOfSet(set, encoder, print), settings);
    const level: { name: string; chosenOn: MeasuredSet[]; watched: MeasuredSet[] } = {
      name,
      chosenOn: [],
      watched: [],
    };
    for (const set of chosenOn) level.chosenOn.push(await measure(set));
    for (const set of watched) level.watched.push(await measure(set));
    levels.push(level);
    print(`\n${name} (${encoder.name})`);
    report([level], print);
  }
  print("\nboth");
  report(levels, print);
  for (const level of levels)
    for (const other of levels)
      if (other !== level) {
        const at = chooseSetting(other.chosenOn, atOf(present), "mean");
        compare(level, at, `${level.name}, the best setting of ${other.name} less the present`, print);
      }
}

/** The columns of all queries of a data set; says how many are not ranked as `retrieve` does. */
async function columnsOfSet(set: TrainSet, encoder: Encoder, print: (line: string) => void): Promise<ColumnSet> {
  const index = await embedTools(set.index, encoder);
  if (index.embeddings === undefined) throw new Error(`The tools of ${set.name} were not encoded.`);
  const { dimensions, vectors } = index.embeddings;
  const meaning = new VectorIndex({ dimensions, vectors, precision: "int8" });
  const queries: QueryColumns[] = [];
  let different = 0;
  for (const query of set.queries) {
    const encoded = await encodeQuery(index, encoder, query.query);
    const columns = columnsOf(index, query, encoded, meaning);
    if (columns.right.length === 0) continue;
    queries.push(columns);
    if (!isRankedAlike(index, query.query, encoded, columns)) different++;
  }
  meaning.dispose();
  print(`${set.name}: ${queries.length} queries, ${different} of them not ranked as by the retriever`);
  return { name: set.name, queries };
}

function isRankedAlike(index: ToolIndex, query: string, vectors: Float32Array, columns: QueryColumns): boolean {
  const { ids } = retrieve(index, query, { vectors });
  const base = baseColumns(columns, present);
  const scores = scoreColumns(columns, base, present);
  const order = [...columns.pool.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return order.slice(0, COMPARED).every((place, rank) => ids[rank] === undefined || columns.pool[place] === ids[rank]);
}

function report(levels: readonly Level[], print: (line: string) => void): void {
  const chosenOn = levels.flatMap((level) => level.chosenOn);
  const now = atOf(present);
  print(`present ${shown(now)}: ${worth(levels, now)}`);
  for (const constant of Object.keys(grid) as (keyof HybridSetting)[]) {
    const row = grid[constant].map(
      (value) => `${value}: ${meanOf(chosenOn, atOf({ ...present, [constant]: value })).toFixed(2)}`,
    );
    print(`  ${constant} alone  ${row.join("  ")}`);
  }
  for (const rule of ["mean", "without-loss"] as const) {
    const chosen = chooseSetting(chosenOn, now, rule);
    print(`best by ${rule} ${shown(chosen)}: ${worth(levels, chosen)}`);
    for (const level of levels) compare(level, chosen, `  ${level.name}, it less the present`, print);
    const left = leaveOneOut(chosenOn, now, rule);
    for (const { name, chosen: other, gain } of left)
      print(`  chosen without ${name}: ${shown(other)}, on it ${signed(gain)} to the present`);
    print(`  mean of those left out: ${signed(mean(left.map(({ gain }) => gain)))}`);
  }
}

function compare(level: Level, at: number, label: string, print: (line: string) => void): void {
  const { mean: middle, low, high } = compareSettings(level.chosenOn, at, atOf(present));
  const each = [...level.chosenOn, ...level.watched].map(
    (set) => `${set.name} ${signed(mean(differences(set, at, atOf(present))))}`,
  );
  print(`${label}: ${signed(middle)} (95 %: ${signed(low)} to ${signed(high)})  ${each.join("  ")}`);
}

function meanOf(sets: readonly MeasuredSet[], at: number): number {
  return mean(sets.map((set) => mean([...valuesOf(set, at)])));
}

function worth(levels: readonly Level[], at: number): string {
  const sets = levels.flatMap((level) => [...level.chosenOn, ...level.watched]);
  const each = sets.map((set) => `${set.name} ${mean([...valuesOf(set, at)]).toFixed(1)}`);
  return `${meanOf(
    levels.flatMap((level) => level.chosenOn),
    at,
  ).toFixed(2)}  ${each.join("  ")}`;
}

function atOf(setting: HybridSetting): number {
  return settings.findIndex((other) =>
    (Object.keys(grid) as (keyof HybridSetting)[]).every((constant) => other[constant] === setting[constant]),
  );
}

function shown(at: number): string {
  const { wordWeight, fullEvidence, evidencePower, clauseShare, clauseVote, voteTemperature, nameBonus } =
    settings[at] ?? present;
  return `words ${wordWeight} from ${fullEvidence} on, to the power ${evidencePower}, clauses ${clauseShare}, votes ${clauseVote} at ${voteTemperature}, names ${nameBonus}`;
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
