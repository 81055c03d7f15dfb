// Chooses the lexical options on train and dev queries: `node packages/retriever/tuning/tune.mjs --data DIR`.
//
// One option after the other is moved along its grid, as long as the mean over the data sets of R@5, C@5, NDCG@10 and C@10
// rises and no data set pays for it. Then the same search is done once for each data set without it, and measured on it: what a choice is worth on
// queries of a kind that it has not seen. `--only report` prints the defaults without searching.
import { parseArgs } from "node:util";
import { buildIndex, retrieve } from "@setwise/retriever";
import { mean, means, measure, measures } from "./measure.mjs";
import { readCatalog, readQueries, trainSplits } from "./read-data.mjs";

const grids = {
  "fieldWeights.name": [1, 1.25, 1.5, 2, 2.5],
  "fieldWeights.parameters": [0.2, 0.3, 0.4, 0.5, 0.6, 0.8],
  "fieldWeights.returns": [0, 0.1, 0.2, 0.3, 0.4],
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
};
/** A smaller gain than this is noise. */
const SMALLEST_GAIN = 0.02;
/** No data set may lose more than this by one step: what helps one kind of query at another's cost does not generalise. */
const LARGEST_LOSS = 0.1;
const MOST_ROUNDS = 3;

const { values } = parseArgs({ options: { data: { type: "string" }, only: { type: "string" } } });
const sets = trainSplits.map((split) => {
  const catalog = readCatalog(values.data, split.data);
  return { name: split.data, catalog, queries: readQueries(values.data, catalog, split) };
});
const start = structuredClone(buildIndex(sets[0].catalog).options);
const remembered = new Map();

print("defaults", sets, start);
if (values.only !== "report") {
  print("chosen on all", sets, search(sets));
  for (const left of sets) {
    const others = sets.filter((set) => set !== left);
    print(`chosen without ${left.name}, on it`, [left], search(others));
  }
}

/** Coordinate ascent over the grids. */
function search(chosenOn) {
  let best = start;
  let reached = objective(chosenOn, best);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = reached;
    for (const [name, grid] of Object.entries(grids)) {
      for (const value of grid) {
        const candidate = withOption(best, name, value);
        const gained = objective(chosenOn, candidate);
        if (gained < reached + SMALLEST_GAIN || largestLoss(chosenOn, best, candidate) > LARGEST_LOSS) continue;
        best = candidate;
        reached = gained;
      }
    }
    if (reached < before + SMALLEST_GAIN) break;
  }
  return best;
}

function withOption(options, name, value) {
  const [group, field] = name.split(".");
  return field === undefined
    ? { ...options, [group]: value }
    : { ...options, [group]: { ...options[group], [field]: value } };
}

/** The mean over data sets of the mean of the four measures. */
function objective(chosenOn, options) {
  return mean(chosenOn.map((set) => mean(rowOf(set, options))));
}

function largestLoss(chosenOn, before, after) {
  return Math.max(...chosenOn.map((set) => mean(rowOf(set, before)) - mean(rowOf(set, after))));
}

function rowOf({ name, catalog, queries }, options) {
  const key = name + JSON.stringify(options);
  let row = remembered.get(key);
  if (row === undefined) {
    const index = buildIndex(catalog, options);
    row = measure(queries, (query) => retrieve(index, query, { k: 10 }).ids);
    remembered.set(key, row);
  }
  return row;
}

function print(label, on, options) {
  const rows = on.map((set) => rowOf(set, options));
  const shown = means(rows).map((value, column) => `${measures[column]} ${value.toFixed(2)}`);
  console.log(
    `\n${label}: ${shown.join("  ")}  (mean ${objective(on, options).toFixed(2)}; start ${objective(on, start).toFixed(2)})`,
  );
  for (const [place, set] of on.entries()) {
    console.log(`  ${set.name.padEnd(12)} ${rows[place].map((value) => value.toFixed(1)).join("  ")}`);
  }
  if (options !== start) console.log(`  ${JSON.stringify(options)}`);
}
