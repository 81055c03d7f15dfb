import { expect, test } from "vitest";
import { calibrationError, reliability } from "./calibration-error.ts";
import { figuresOf, meanFigures, pairedDifference } from "./figures.ts";
import { scoreSets } from "./score-sets.ts";

test("recall, NDCG and completeness at 3 and 5 and the exact set of one query", () => {
  const [recall3, ndcg3, complete3, recall5, complete5, exact] = figuresOf(
    Uint32Array.of(4, 1, 9, 2, 0),
    Uint32Array.of(1, 2),
    Uint32Array.of(1, 2),
  );
  expect([recall3, complete3, recall5, complete5, exact]).toEqual([0.5, 0, 1, 1, 1]);
  // One right tool in second place, of two: (1 / log₂ 3) / (1 + 1 / log₂ 3).
  expect(ndcg3).toBeCloseTo(0.63093 / 1.63093, 5);
  expect(meanFigures([figuresOf(Uint32Array.of(1), Uint32Array.of(1))])).not.toHaveProperty("exact");
});

test("a difference that all queries share is sure, one of a single query is not", () => {
  const ones = Array.from({ length: 50 }, () => 1);
  const zeros = ones.map(() => 0);
  expect(pairedDifference(ones, zeros, 1)).toEqual({ mean: 1, low: 1, high: 1 });
  const once = zeros.map((_, at) => Number(at === 0));
  expect(pairedDifference(once, zeros, 1).low).toBe(0);
});

test("probabilities that are said and were not so are the calibration error", () => {
  // Two tools of probability 1 / 2 each, given that there is one: three sets, each tool in two of them.
  const scored = scoreSets({ ids: Uint32Array.of(0, 1), logits: Float64Array.of(0, 0) });
  const statements = [{ scored, gold: Uint32Array.of(0) }];
  expect(reliability(statements)[6]).toEqual({ count: 2, said: expect.closeTo(2 / 3, 9) as number, was: 0.5 });
  expect(calibrationError(statements)).toBeCloseTo(2 / 3 - 1 / 2, 9);
  expect(calibrationError([])).toBe(0);
});
