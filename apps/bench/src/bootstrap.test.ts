import { expect, test } from "vitest";
import { pairedBootstrap } from "./bootstrap.ts";

test("equal differences have an interval of no width, and groups count the same however large", () => {
  // The means of the groups are 2 and 0.
  expect(pairedBootstrap([Array.from({ length: 50 }, () => 2), [0]])).toEqual({ mean: 1, low: 1, high: 1 });
});

test("the interval of coin flips is about two standard errors wide on each side", () => {
  // 400 values of ±1 in turn: the standard error is 1 / √400 = 0.05.
  const { mean, low, high } = pairedBootstrap([Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 1 : -1))]);
  expect(mean).toBe(0);
  expect(low).toBeGreaterThan(-0.13);
  expect(low).toBeLessThan(-0.07);
  expect(high).toBeGreaterThan(0.07);
  expect(high).toBeLessThan(0.13);
});
