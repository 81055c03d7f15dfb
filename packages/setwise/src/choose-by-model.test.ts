import { expect, test } from "vitest";
import { cutByModel, type ModelAnswer } from "./choose-by-model.ts";

test("what the budget has no room for is not made up for by calling a spare tool core", () => {
  // Two sure tools and an unlikely one: the balanced set has 2, since 2 · 1.8 / (2 + 2) = .9 beats 2 · .9 / (1 + 2) = .6 and 2 · 1.9 / (3 + 2) = .76.
  const scores = Float32Array.of(0.9, 0.9, 0.1);
  const scored = { pool: Uint32Array.of(0, 1, 2), expectedSize: 2, sizes: Float64Array.of(0, 0, 1), best: [] };
  const retrieval = { ids: Uint32Array.of(0, 1, 2), scores };
  const answer = { scored, retrieval, covered: () => new Float64Array(0) } as unknown as ModelAnswer;
  const cut = (maxTokens: number | undefined) =>
    cutByModel(answer, {
      goal: "balanced",
      minK: 2,
      maxK: undefined,
      probabilityNothingFits: 0,
      required: [],
      tokens: Uint32Array.of(10, 100, 10),
      maxTokens,
    });
  expect(cut(undefined)).toMatchObject({ k: 2, kept: Uint32Array.of(0, 1), coreSize: 2 });
  // The second tool does not fit; the third stands in for it.
  expect(cut(20)).toMatchObject({ k: 2, kept: Uint32Array.of(0, 2), coreSize: 1 });
  expect(cut(5)).toMatchObject({ k: 0, coreSize: 0 });
});
