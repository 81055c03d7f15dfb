import { expect, test } from "vitest";
import { addRows, factorise, solve } from "./cholesky.ts";

/** [4 2; 2 5] = L Lᵀ with L = [2 0; 1 2]. */
const matrix = (): Float64Array => Float64Array.of(4, 99, 2, 5);

test("factors stand in the lower triangle, and the upper one is neither read nor written", () => {
  const lower = matrix();
  factorise(lower, 2);
  expect([...lower]).toEqual([2, 99, 1, 2]);
});

test("solves for all columns at once", () => {
  const lower = matrix();
  factorise(lower, 2);
  // 4·1.5 + 2·1 = 8, 2·1.5 + 5·1 = 8; 4·0 + 2·2 = 4, 2·0 + 5·2 = 10; 4·(−1) + 2·1 = −2, 2·(−1) + 5·1 = 3.
  const right = Float64Array.of(8, 4, -2, 8, 10, 3);
  solve(lower, right, 2, 3);
  expect([...right]).toEqual([1.5, 0, -1, 1, 2, 1]);
});

test("solves seven equations, where rows are taken by four and singly", () => {
  // M = I + 1·1ᵀ, X_ij = i + 10 j: (M X)_ij = X_ij + Σ_i X_ij = i + 10 j + 21 + 70 j.
  const lower = Float64Array.from({ length: 49 }, (_, at) => (at % 8 === 0 ? 2 : 1));
  factorise(lower, 7);
  const right = Float64Array.from({ length: 14 }, (_, at) => Math.floor(at / 2) + 21 + 80 * (at % 2));
  solve(lower, right, 7, 2);
  for (const [at, value] of right.entries()) expect(value).toBeCloseTo(Math.floor(at / 2) + 10 * (at % 2), 12);
});

test("adds multiples of rows, any number of them, of their first numbers only", () => {
  // Rows [r, 10 r, 99] for r = 1 … 6 with factors 1 … count: Σ r² = 0, 1, 5, 14, 30, 55, 91.
  const rows = Float64Array.from({ length: 18 }, (_, at) => [1, 10, 0][at % 3]! * (Math.floor(at / 3) + 1) || 99);
  for (const [count, sum] of [0, 1, 5, 14, 30, 55, 91].entries()) {
    const target = Float64Array.of(1000, 2000);
    addRows(
      target,
      Float64Array.from({ length: count }, (_, r) => r + 1),
      rows,
      3,
    );
    expect([...target], String(count)).toEqual([1000 + sum, 2000 + 10 * sum]);
  }
});

test("a matrix that is not positive definite has factors that are no numbers", () => {
  // 1 − 2² is below 0.
  const lower = Float64Array.of(1, 0, 2, 1);
  factorise(lower, 2);
  expect(lower[3]).toBeNaN();
});
