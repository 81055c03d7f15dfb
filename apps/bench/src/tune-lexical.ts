import { completenessAtK, ndcgAtK, recallAtK } from "@setwise/evaluation";
import { buildIndex, type LexicalOptions, retrieve } from "@setwise/retriever";
import { readTrainSets, type TrainSet } from "./train-sets.ts";

/*
 * Chooses the lexical options on train and dev queries. One option after the other is moved along its grid, as long as the
 * mean over the data sets of R@5, C@5, NDCG@10 and C@10 rises and no data set pays for it. Then the same search is done once
 * for each data set without it, and measured on it: what a choice is worth on queries of a kind that it has not seen. The
 * values go into packages/retriever/src/lexical-options.ts by hand.
 */

const fieldGrids = {
  name: [1, 1.25, 1.5, 2, 2.5],
  parameters: [0.2, 0.3, 0.4, 0.5, 0.6, 0.8],
  returns: [0, 0.1, 0.2, 0.3, 0.4],
};
const grids = {
  saturation: [0.8, 1.2, 1.5, 2, 2.5, 3],
  lengthPenalty: [0, 0.1, 0.2, 0.3, 0.4],
  clauseShare: [0, 0.2, 0.3, 0.4, 0.5, 0.6],
  statementWeight: [0.3, 0.5, 0.6, 0.7, 0.85, 1],
  nameBonus: [0, 0.1, 0.15, 0.2, 0.3, 0.4],
  fillerWeight: [0.15, 0.3, 0.4, 0.5, 0.7, 1],
  literalWeight: [0, 0.2, 0.3, 0.5, 0.7, 1],
  synonymWeight: [0, 0.2, 0.3, 0.4, 0.5, 0.6],
  joinedWeight: [0, 0.5, 0.7, 1],
  beginningWeight: [0, 0.3, 0.5, 0.6, 0.8],
} satisfies {
  readonly [
    option in Exclude<keyof LexicalOptions, "fieldWeights" | "wordWeight" | "fullEvidence" | "clauseVote">
  ]: readonly number[];
};
/** A smaller gain than this is noise. */
const SMALLEST_GAIN = 0.02;
/** No data set may lose more than this by one step: what helps one kind of query at another's cost does not generalise. */
const LARGEST_LOSS = 0.1;
const MOST_ROUNDS = 3;

type Change = (options: LexicalOptions) => LexicalOptions;

/** Every single change that the search may try, in order. */
const changes: readonly Change[] = [
  ...Object.entries(fieldGrids).flatMap(([field, grid]) =>
    grid.map((value): Change => (options) => ({
      ...options,
      fieldWeights: { ...options.fieldWeights, [field]: value },
    })),
  ),
  ...Object.entries(grids).flatMap(([option, grid]) =>
    grid.map((value): Change => (options) => ({ ...options, [option]: value })),
  ),
];

/** The objective on train with the defaults, a line a data set. */
export async function lexicalTrain(folder: string, print: (line: string) => void): Promise<void> {
  const sets = await readTrainSets(folder);
  show("defaults", sets, {}, measured(), print);
}

/** The search, on all data sets and with each left out. */
export async function tuneLexical(folder: string, print: (line: string) => void): Promise<void> {
  const sets = await readTrainSets(folder);
  const measure = measured();
  show("defaults", sets, {}, measure, print);
  show("chosen on all", sets, search(sets, measure), measure, print);
  for (const left of sets) {
    const others = sets.filter((set) => set !== left);
    show(`chosen without ${left.name}, on it`, [left], search(others, measure), measure, print);
  }
}

/** Coordinate ascent over the grids. */
function search(chosenOn: readonly TrainSet[], measure: Measure): LexicalOptions {
  let best: LexicalOptions = {};
  let reached = objective(chosenOn, best, measure);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = reached;
    for (const change of changes) {
      const candidate = change(best);
      const gained = objective(chosenOn, candidate, measure);
      const losses = chosenOn.map((set) => mean(measure(set, best)) - mean(measure(set, candidate)));
      if (gained < reached + SMALLEST_GAIN || Math.max(...losses) > LARGEST_LOSS) continue;
      best = candidate;
      reached = gained;
    }
    if (reached < before + SMALLEST_GAIN) break;
  }
  return best;
}

/** R@5, C@5, NDCG@10 and C@10 of a data set under some options, in per cent. */
type Measure = (set: TrainSet, options: LexicalOptions) => readonly number[];

/** Measures each combination once. */
function measured(): Measure {
  const remembered = new Map<string, readonly number[]>();
  return (set, options) => {
    const key = `${set.name} ${JSON.stringify(options)}`;
    const row = remembered.get(key) ?? measureOnce(set, options);
    remembered.set(key, row);
    return row;
  };
}

function measureOnce(set: TrainSet, options: LexicalOptions): readonly number[] {
  const index = buildIndex(set.index.catalog, options);
  const rows = set.queries.flatMap(({ query, tools }) => {
    const gold = tools.filter((id) => index.catalog.ordinalOf(id) !== undefined);
    if (gold.length === 0) return [];
    const ranking = Array.from(
      retrieve(index, query, { k: 10 }).ids,
      (ordinal) => index.catalog.tools[ordinal]?.id ?? "",
    );
    return [
      [
        recallAtK(ranking, gold, 5),
        completenessAtK(ranking, gold, 5),
        ndcgAtK(ranking, gold, 10),
        completenessAtK(ranking, gold, 10),
      ],
    ];
  });
  return [0, 1, 2, 3].map((column) => 100 * mean(rows.map((row) => row[column] ?? 0)));
}

/** The mean over data sets of the mean of the four measures. */
function objective(on: readonly TrainSet[], options: LexicalOptions, measure: Measure): number {
  return mean(on.map((set) => mean(measure(set, options))));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function show(
  label: string,
  on: readonly TrainSet[],
  options: LexicalOptions,
  measure: Measure,
  print: (line: string) => void,
): void {
  print(
    `${label}: ${objective(on, options, measure).toFixed(2)} (defaults ${objective(on, {}, measure).toFixed(2)}) ${JSON.stringify(options)}`,
  );
  for (const set of on) {
    const row = measure(set, options).map((value) => value.toFixed(1));
    print(`  ${set.name.padEnd(12)} R@5 ${row[0]}  C@5 ${row[1]}  NDCG@10 ${row[2]}  C@10 ${row[3]}`);
  }
}
