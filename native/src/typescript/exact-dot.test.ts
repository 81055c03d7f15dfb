import { expect, test } from "vitest";
import { dotRows, exactDot } from "./exact-dot.ts";

test("sums are taken in the order that defines them", () => {
  // Sum 0 takes 2^60 and then 1 (lost: float64 keeps 53 bits), sum 1 takes −2^60 and then 1 (lost): 0 + 0.
  // One sum from left to right would give 2^60 − 2^60 + 1 + 1 = 2.
  const matrix = Float32Array.of(2 ** 60, -(2 ** 60), 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  expect(exactDot(matrix, 0, matrix, 8, 8)).toBe(0);
  const products = new Float32Array(1);
  dotRows(matrix, 8, undefined, new Float64Array(8).fill(1), products, 1);
  expect([...products]).toEqual([0]);
});

test("rows in threes and the rows left over give the same products, with and without ordinals", () => {
  // Row i is (i, 1, 0, 0): with (2, 3, 0, 0) it gives 2i + 3.
  const matrix = Float32Array.from({ length: 20 }, (_, i) => [i >> 2, 1, 0, 0][i & 3]!);
  const products = new Float32Array(5);
  dotRows(matrix, 4, undefined, Float64Array.of(2, 3, 0, 0), products, 5);
  expect([...products]).toEqual([3, 5, 7, 9, 11]);
  dotRows(matrix, 4, Uint32Array.of(4, 0, 3, 2), Float64Array.of(2, 3, 0, 0), products, 4);
  expect([...products.subarray(0, 4)]).toEqual([11, 3, 9, 7]);
});
