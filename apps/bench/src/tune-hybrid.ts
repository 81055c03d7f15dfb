import { VectorIndex } from "@setwise/native";
import { embedTools, encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import type { Encoder } from "@setwise/core";
import { pairedBootstrap } from "./bootstrap.ts";
import { hybridSplits, watchedSplits } from "./data-sets.ts";
import { encoderLevels } from "./levels.ts";
import { type ColumnSet, type MeasuredSet, measureSettings, settingsOf, valuesOf } from "./measured-settings.ts";
import { columnsOf, type QueryColumns } from "./query-columns.ts";
import { mean } from "./ranking-row.ts";
import { baseColumns, type HybridSetting, scoreColumns } from "./score-columns.ts";
import { readTrainSets, type TrainSet } from "./train-sets.ts";

/*
 * Chooses the constants by which words, meaning, clauses and names come together, on train and dev queries, for each encoder and for
 * both at once: the setting with the best mean over data sets of the mean of R@5, C@5, NDCG@10 and C@10. The data sets of
 * `watchedSplits` are measured and choose nothing. Then each data set is left out once and measured with what the others
 * choose, and the chosen settings are compared with the present one by the paired bootstrap. The values go into
 * packages/retriever/src/lexical-options.ts and clause-votes.ts by hand.
 */

const grid = {
  wordWeight: [0.3, 0.4, 0.5, 0.6, 0.7, 1],
  clauseShare: [0.2, 0.3, 0.4, 0.5, 0.6],
  clauseVote: [0, 0.2, 0.3, 0.4, 0.5, 0.6],
  voteTemperature: [0.03, 0.05, 0.07, 0.1, 0.15],
  nameBonus: [0, 0.1, 0.2, 0.3, 0.4],
};
/** What the retriever has. */
const present: HybridSetting = {
  wordWeight: 0.5,
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
      if (other !== level) compare(level, best([other]), `${level.name}, the best setting of ${other.name}`, print);
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
  const base = baseColumns(columns, present.wordWeight, present.voteTemperature);
  const scores = scoreColumns(columns, base, present);
  const order = [...columns.pool.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return order.slice(0, COMPARED).every((place, rank) => ids[rank] === undefined || columns.pool[place] === ids[rank]);
}

function report(levels: readonly Level[], print: (line: string) => void): void {
  print(`present ${shown(present)}: ${worth(levels, atOf(present))}`);
  for (const constant of Object.keys(grid) as (keyof HybridSetting)[]) {
    const row = grid[constant].map((value) => {
      const at = atOf({ ...present, [constant]: value });
      return `${value}: ${meanOf(levels, at).toFixed(2)}`;
    });
    print(`  ${constant} alone  ${row.join("  ")}`);
  }
  const chosen = best(levels);
  print(`best ${shown(chosen)}: ${worth(levels, atOf(chosen))}`);
  for (const level of levels) compare(level, chosen, `${level.name}, best less present`, print);
  leaveOut(levels, print);
}

/** Chooses without each data set and measures on it. */
function leaveOut(levels: readonly Level[], print: (line: string) => void): void {
  const gains: number[] = [];
  for (const { name } of levels[0]?.chosenOn ?? []) {
    const others = levels.map((level) => ({ ...level, chosenOn: level.chosenOn.filter((set) => set.name !== name) }));
    const alone = levels.map((level) => ({ ...level, chosenOn: level.chosenOn.filter((set) => set.name === name) }));
    const chosen = best(others);
    const gain = meanOf(alone, atOf(chosen)) - meanOf(alone, atOf(present));
    gains.push(gain);
    print(`chosen without ${name}: ${shown(chosen)}, on it ${signed(gain)} to the present`);
  }
  print(`mean of those left out: ${signed(mean(gains))}`);
}

function compare(level: Level, setting: HybridSetting, label: string, print: (line: string) => void): void {
  const differences = (sets: readonly MeasuredSet[]): number[][] =>
    sets.map((set) => {
      const before = valuesOf(set, atOf(present));
      return Array.from(valuesOf(set, atOf(setting)), (value, query) => value - (before[query] ?? 0));
    });
  const { mean: middle, low, high } = pairedBootstrap(differences(level.chosenOn));
  const all = [...level.chosenOn, ...level.watched];
  const each = differences(all).map((values, set) => `${all[set]?.name} ${signed(mean(values))}`);
  print(`${label}: ${signed(middle)} (95 %: ${signed(low)} to ${signed(high)})  ${each.join("  ")}`);
}

function best(levels: readonly Level[]): HybridSetting {
  let most = -Infinity;
  let chosen = present;
  for (const [at, setting] of settings.entries()) {
    const value = meanOf(levels, at);
    if (value <= most) continue;
    most = value;
    chosen = setting;
  }
  return chosen;
}

/** The mean over levels and over the data sets that choose. */
function meanOf(levels: readonly Level[], at: number): number {
  return mean(levels.map(({ chosenOn }) => mean(chosenOn.map((set) => mean([...valuesOf(set, at)])))));
}

function worth(levels: readonly Level[], at: number): string {
  const sets = levels.flatMap((level) => [...level.chosenOn, ...level.watched]);
  const each = sets.map((set) => `${set.name} ${mean([...valuesOf(set, at)]).toFixed(1)}`);
  return `${meanOf(levels, at).toFixed(2)}  ${each.join("  ")}`;
}

function atOf(setting: HybridSetting): number {
  return settings.findIndex((other) =>
    (Object.keys(grid) as (keyof HybridSetting)[]).every((constant) => other[constant] === setting[constant]),
  );
}

function shown({ wordWeight, clauseShare, clauseVote, voteTemperature, nameBonus }: HybridSetting): string {
  return `words ${wordWeight}, clauses ${clauseShare}, votes ${clauseVote} at ${voteTemperature}, names ${nameBonus}`;
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
