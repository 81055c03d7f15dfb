import { expect, test } from "vitest";
import { type Pooling, poolTokens, scaleToUnit } from "./pooling.ts";

// Two tokens of two dimensions, after one number of another text and before padding: (1, 8) and (4, 2).
const rows = { numbers: Float32Array.of(99, 1, 8, 4, 2, 99, 99), start: 1, tokens: 2 };

test.each([
  ["mean", 2.5, 5],
  ["mean_sqrt_len", 5 / Math.SQRT2, 10 / Math.SQRT2],
  // Weights 1/3 and 2/3: (1 + 2·4) / 3, (8 + 2·2) / 3.
  ["weightedmean", 3, 4],
  ["max", 4, 8],
  ["cls", 1, 8],
  ["lasttoken", 4, 2],
] satisfies [Pooling, number, number][])("pooling by %s", (pooling, first, second) => {
  const pooled = new Float32Array(2).fill(7);
  poolTokens(pooling, rows, pooled);
  expect(pooled[0]).toBeCloseTo(first, 5);
  expect(pooled[1]).toBeCloseTo(second, 5);
});

test("a vector is scaled to length 1; zeros stay; numbers that are not finite are reported", () => {
  const vector = Float32Array.of(3, 4);
  expect(scaleToUnit(vector)).toBe(true);
  expect([...vector]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  const zeros = new Float32Array(2);
  expect(scaleToUnit(zeros)).toBe(true);
  expect([...zeros]).toEqual([0, 0]);
  expect(scaleToUnit(Float32Array.of(1, Number.NaN))).toBe(false);
  expect(scaleToUnit(Float32Array.of(1, Infinity))).toBe(false);
});
