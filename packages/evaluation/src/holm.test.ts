import { expect, test } from "vitest";
import { holm } from "./holm.ts";

test("the smallest is multiplied by their number, the next by one less, and the order stays", () => {
  // Ascending .005, .01, .03, .04: · 4 = .02, · 3 = .03, · 2 = .06, · 1 = .04, which may not be below the .06 before it.
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(6)))).toEqual([0.03, 0.06, 0.06, 0.02]);
});

test("nothing passes 1, and NaN neither counts nor hides the others", () => {
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
  expect(holm([Number.NaN, 0.02])).toEqual([Number.NaN, 0.02]);
  expect(holm([])).toEqual([]);
});
