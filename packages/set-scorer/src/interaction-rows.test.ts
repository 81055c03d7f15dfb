import { seededRandom } from "@setwise/core";
import { expect, test } from "vitest";
import { interactionRows } from "./interaction-rows.ts";
import type { SetModel } from "./set-model.ts";

test("pair scores are z · M z, also of tools whose rows were forgotten and are computed again", () => {
  const random = seededRandom(1);
  const tools = 2500;
  // M = 2, two dimensions.
  const interactions = Float32Array.of(1, 2, 2, 3);
  const embeddings = Float32Array.from({ length: 2 * tools }, () => random());
  embeddings.set([1, 0, 0, 1]);
  const { pairScores } = interactionRows({ interactions, embeddings, toolDimensions: 2, maxSize: 2 } as SetModel);
  const first = pairScores(Uint32Array.of(0, 1));
  // (1, 0) · M (0, 1) = 2.
  expect([...first]).toEqual([0, 2, 2, 0]);
  for (let tool = 2; tool < tools; tool += 2) pairScores(Uint32Array.of(tool, tool + 1));
  expect(pairScores(Uint32Array.of(0, 1))).toEqual(first);
});

test("one request may ask for more tools than are remembered", () => {
  const tools = 2100;
  const embeddings = new Float32Array(tools).fill(2);
  const model = { interactions: Float32Array.of(3), embeddings, toolDimensions: 1, maxSize: 2 } as SetModel;
  const scores = interactionRows(model).pairScores(Uint32Array.from({ length: tools }, (_, tool) => tool));
  // 2 · 3 · 2, and 0 of a tool with itself.
  expect(scores[1]).toBe(12);
  expect(scores.at(-2)).toBe(12);
  expect(scores.at(-1)).toBe(0);
});
