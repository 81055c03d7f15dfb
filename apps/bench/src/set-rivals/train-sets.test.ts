import { createCatalog, seededRandom } from "@setwise/core";
import { type SetModel, trainSetModel, type TrainingData } from "@setwise/set-scorer";
import { expect, test } from "vitest";
import { trainSets } from "./train-sets.ts";

const DIMENSIONS = 4;

/** Three queries, too few for a match, of two tools each. */
function madeUp(): TrainingData {
  const random = seededRandom(1);
  const rows = (count: number): Float32Array => {
    const all = Float32Array.from({ length: count * DIMENSIONS }, () => random() - 0.5);
    for (let row = 0; row < count; row++) {
      const vector = all.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
      const length = Math.hypot(...vector);
      vector.forEach((value, i) => (vector[i] = value / length));
    }
    return all;
  };
  const tool = (id: string) => ({ id, name: id, description: id, inputSchema: {}, original: undefined });
  return {
    catalog: createCatalog(["open", "close", "lock"].map(tool)),
    encoder: "made-up",
    toolVectors: rows(3),
    queries: ["one", "two", "three"].map((text, at) => ({ text, tools: Uint32Array.of(at % 2, 2), weight: 1 })),
    queryVectors: rows(3),
    features: [
      { name: "hybrid", offsets: Uint32Array.of(0, 1, 1, 1), tools: Uint32Array.of(2), values: Float32Array.of(1) },
    ],
  };
}

test("sets are trained on top of a match, with one M for all sizes or one for each", async () => {
  const data = madeUp();
  const { model } = await trainSetModel(data, { threads: 1 });
  const identity = Float32Array.from({ length: DIMENSIONS ** 2 }, (_, i) => Number(i % (DIMENSIONS + 1) === 0));
  const match: SetModel = { ...model, toolDimensions: DIMENSIONS, projection: identity, embeddings: data.toolVectors };
  const run = { stage: { epochs: 1 }, development: new Uint32Array(0), seed: 1, threads: 1 };
  const square = DIMENSIONS ** 2;
  const shared = await trainSets(data, match, { ...run, interactions: "shared" });
  expect(shared.interactions).toHaveLength((match.maxSize - 1) * square);
  expect(shared.interactions.slice(0, square)).toEqual(shared.interactions.slice(square, 2 * square));
  const bySize = await trainSets(data, match, { ...run, interactions: "by-size" });
  expect(bySize.interactions.slice(0, square)).not.toEqual(bySize.interactions.slice(square, 2 * square));
  expect(bySize.features.map(({ name }) => name)).toEqual(["hybrid"]);
  expect(bySize.embeddings).not.toEqual(match.embeddings);
});
