// Reports the test splits with the package's defaults: `node packages/retriever/tuning/report-test.mjs --data DIR`.
// Every run is to be recorded in README.md: weights are chosen by tune.mjs, never by this.
import { parseArgs } from "node:util";
import { buildIndex, retrieve } from "@setwise/retriever";
import { means, measure, measures } from "./measure.mjs";
import { readCatalog, readQueries, testSplits } from "./read-data.mjs";

const { values } = parseArgs({ options: { data: { type: "string" } } });
const rows = [];
for (const split of testSplits) {
  const catalog = readCatalog(values.data, split.data);
  const index = buildIndex(catalog);
  const row = measure(readQueries(values.data, catalog, split), (query) => retrieve(index, query, { k: 10 }).ids);
  rows.push(row);
  print(`${split.data} ${split.splits}`, row);
}
print("mean", means(rows));

function print(label, row) {
  console.log(label.padEnd(28), row.map((value, column) => `${measures[column]} ${value.toFixed(1)}`).join("  "));
}
