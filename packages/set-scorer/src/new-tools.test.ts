import { expect, test } from "vitest";
import { newToolWeights } from "./new-tools.ts";

test("near a logged request, and where nothing is new, all counts as it was trained", () => {
  expect(newToolWeights(0.5, 0.9)).toEqual({ moreOfFirst: 0, newTools: 1, sharpness: 1 });
  expect(newToolWeights(0, 0)).toEqual({ moreOfFirst: 0, newTools: 1, sharpness: 1 });
});

test("the farther a request is from all that were logged, the more the untrained ranking counts", () => {
  // far = (0.8 − 0.55) / 0.5 = 0.5, other = 0.7; 32 · 0.25 · 0.5 = 4; 1 + 2 · 0.75⁴ · 0.7 = 1.44297; 1 / (1 + 4 · 0.25 · 0.5) = 2/3.
  const half = newToolWeights(0.25, 0.55);
  expect(half.moreOfFirst).toBeCloseTo(4, 10);
  expect(half.newTools).toBeCloseTo(1.44297, 5);
  expect(half.sharpness).toBeCloseTo(2 / 3, 10);
  // Beyond 0.3 it is as far as can be.
  expect(newToolWeights(0.25, 0.1)).toEqual(newToolWeights(0.25, -1));
  expect(newToolWeights(0.25, -1).moreOfFirst).toBeCloseTo(8, 10);
});

test("in a catalog that is new throughout, new tools need no favour beside old ones", () => {
  expect(newToolWeights(1, 0)).toMatchObject({ moreOfFirst: 32, newTools: 1 });
});
