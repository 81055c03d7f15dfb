import { DeficitSearch, enumerateHyperedges, HypergraphModel, rankByMarginalGain, VectorIndex } from "@setwise/native";
import { gaussian, sequence, unitRows } from "./random.ts";

const QUERIES = 10_000_000;
/** Queries before the first look, in which buffers grow to what they stay at. */
const WARM = 200_000;
const LOOKS = 10;
const DIMENSIONS = 16;
const ROWS = 100;
const POOL = 8;

/** Ten million queries, every kernel in turn; the resident size is looked at eleven times. A leak of one number a query would be 80 MB. */
export function memory(print: (line: string) => void): void {
  const queries = makeQueries();
  const run = (count: number): void => {
    for (let i = 0; i < count; i += 1) queries[i % queries.length]!();
  };
  run(WARM);
  print(`resident size, every kernel in turn, after ${WARM} queries and then after each tenth of ${QUERIES}:`);
  print(`  ${megabytes()}`);
  for (let look = 0; look < LOOKS; look += 1) {
    run(QUERIES / LOOKS);
    print(`  ${megabytes()}`);
  }
}

function megabytes(): string {
  return `${(process.memoryUsage.rss() / 2 ** 20).toFixed(1)} MB`;
}

function makeQueries(): (() => void)[] {
  const normal = gaussian(sequence(1));
  const vectors = unitRows(ROWS, DIMENSIONS, "even", normal);
  const query = vectors.slice(0, DIMENSIONS);
  const index = new VectorIndex({ dimensions: DIMENSIONS, vectors, precision: "int8" });
  const model = HypergraphModel.fromWeights({
    toolDimensions: DIMENSIONS,
    embeddings: vectors,
    projection: unitRows(DIMENSIONS, DIMENSIONS, "even", normal),
    interactions: unitRows(DIMENSIONS, DIMENSIONS, "even", normal),
  });
  const logits = Float64Array.from({ length: POOL }, normal);
  const pairScores = new Float64Array(4 * POOL * POOL);
  // A chain of three: each tool needs what the one before it makes.
  const search = new DeficitSearch({
    inputs: Uint32Array.of(0, 0, 1, 2),
    producers: { offsets: Uint32Array.of(0, 1, 2), tools: Uint32Array.of(0, 1), weights: Float32Array.of(1, 1) },
  });
  const terminals = Uint32Array.of(2);
  return [
    () => void index.search(query, 5),
    () => void enumerateHyperedges(logits, pairScores, { count: 3, distribution: true }),
    () => void rankByMarginalGain(logits, pairScores, { k: 5 }),
    () => void model.bestSets(query, { shortlist: 5, pool: 6 }),
    () => void model.rank(query, { shortlist: 5, pool: 6, k: 4 }),
    () => void search.search({ terminals }),
  ];
}
