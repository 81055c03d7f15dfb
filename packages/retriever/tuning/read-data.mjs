// Reads the benchmark folders: `tools.jsonl` and `queries.<split>.jsonl`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCatalog } from "@setwise/core";

/** Splits that weights may be chosen on; large ones are sampled, so that no data set decides alone. */
export const trainSplits = [
  { data: "seal-tools", splits: ["dev"] },
  { data: "ultratool", splits: ["train"], most: 1000 },
  { data: "metatool", splits: ["train"], most: 1200 },
  { data: "tau-bench", splits: ["train", "dev"] },
];

const lines = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** The catalog of one data set. Its `category` is a label of the benchmark and is not searched. */
export function readCatalog(folder, data) {
  const tools = lines(join(folder, data, "tools.jsonl")).map((tool) => ({
    id: tool.id,
    name: tool.name,
    description: tool.description ?? "",
    inputSchema: inputSchema(tool.parameters),
    ...(tool.returns === undefined ? {} : { outputSchema: tool.returns }),
    ...(tool.server === undefined ? {} : { server: tool.server }),
    original: null,
  }));
  return createCatalog(tools);
}

/** Some sets list their parameters as `{ name, description }` instead of giving a schema. */
function inputSchema(parameters) {
  if (!Array.isArray(parameters)) return parameters ?? { type: "object" };
  const properties = parameters.map(({ name, description }) => [String(name), { description: description ?? "" }]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** Queries with the ordinals of their gold tools; ids that the catalog lacks are ignored, queries left without any skipped. */
export function readQueries(folder, catalog, { data, splits, most }, seed = 7) {
  const all = splits.flatMap((split) => lines(join(folder, data, `queries.${split}.jsonl`)));
  return sample(all, most ?? all.length, seed)
    .map(({ query, tools }) => ({
      query,
      gold: [...new Set(tools.map((id) => catalog.ordinalOf(id)).filter((ordinal) => ordinal !== undefined))],
    }))
    .filter(({ gold }) => gold.length > 0);
}

/** `most` of the items by a seeded shuffle. */
function sample(items, most, seed) {
  if (items.length <= most) return items;
  const shuffled = [...items];
  const random = mulberry32(seed);
  for (let place = shuffled.length - 1; place > 0; place--) {
    const other = Math.floor(random() * (place + 1));
    [shuffled[place], shuffled[other]] = [shuffled[other], shuffled[place]];
  }
  return shuffled.slice(0, most);
}

/** Public-domain generator of Tommy Ettinger: the same seed gives the same numbers everywhere. */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
