import { createCatalog } from "@setwise/core";
import { expect, test } from "vitest";
import { adaptSetModel, cleanLog, explainSets, openSetScorer, rankTools, scoreSets } from "./index.ts";

const none = null as never;

test.each<[string, () => unknown]>([
  ["openSetScorer", () => openSetScorer(none)],
  ["adaptSetModel without a model", () => adaptSetModel(none, none)],
  ["adaptSetModel without a catalog", () => adaptSetModel({} as never, none)],
  ["explainSets without sets", () => explainSets(none, none)],
  ["explainSets without options", () => explainSets({} as never, none)],
  ["rankTools", () => rankTools(none)],
  ["scoreSets", () => scoreSets(none)],
  ["cleanLog without a catalog", () => cleanLog([{ query: "a", tools: [] }], none)],
])("%s refuses what is no object", (_name, call) => {
  expect(call).toThrowError(expect.objectContaining({ code: "invalid-argument" }));
});

test("a catalog needs a vector for each tool", () => {
  const model = { encoder: "e", queryDimensions: 2, tools: [] } as never;
  const encoded = { catalog: createCatalog([]), encoder: "e", toolVectors: new Float32Array(2) };
  expect(() => adaptSetModel(model, encoded)).toThrow("Float32Array of 0 × 2 numbers, but got 2 numbers");
});
