import { expect, test } from "vitest";
import { fitByRidge } from "../scripts/fit-by-ridge.ts";
import { alongAxes, principalAxes } from "../scripts/principal-axes.ts";
import { startTable } from "../scripts/start-table.ts";
import { countTokens, meanRows, quantise, type TokenizedTexts } from "../scripts/table.ts";

// Texts of tokens: "0 1", "1 2 2", "2"; token 3 is in none.
const texts: TokenizedTexts = { starts: Int32Array.of(0, 2, 5, 6), ids: Int32Array.of(0, 1, 1, 2, 2, 2) };

test("without ridge to speak of, as many texts as tokens are met exactly", () => {
  const start = { dimensions: 2, rows: new Float32Array(8) };
  const targets = Float32Array.of(1, 2, 3, 4, -5, 6);
  const fitted = fitByRidge(texts, targets, start, { ridge: 1e-9, steps: 12 });
  const means = new Float32Array(6);
  meanRows(texts, fitted, means);
  for (const [index, value] of means.entries()) expect(value).toBeCloseTo(targets[index]!, 3);
});

test("one token in one text goes to the weighted mean of target and start", () => {
  // One text of one token has weight 1/10, so with ridge 0.1: (0.1 · 3 + 0.1 · 1) / 0.2 = 2.
  const one: TokenizedTexts = { starts: Int32Array.of(0, 1), ids: Int32Array.of(0) };
  const fitted = fitByRidge(
    one,
    Float32Array.of(3),
    { dimensions: 1, rows: Float32Array.of(1, 5) },
    { ridge: 0.1, steps: 3 },
  );
  expect(fitted.rows[0]).toBeCloseTo(2, 5);
  // The other token is in no text and stays.
  expect(fitted.rows[1]).toBe(5);
});

test("axes are those along which rows differ, longest first", () => {
  // Points (±3, ±3) and (±1, ∓1) about (10, 20, 7): variances 9 along (1, 1)/√2 and 1 along (1, −1)/√2, none along the third.
  const points = [13, 23, 7, 7, 17, 7, 11, 19, 7, 9, 21, 7];
  const { mean, axes, kept } = principalAxes(Float32Array.from(points), 3, 1);
  expect([...mean]).toEqual([10, 20, 7]);
  for (const [index, value] of [Math.SQRT1_2, Math.SQRT1_2, 0].entries())
    expect(Math.abs(axes[0]![index]!)).toBeCloseTo(value, 6);
  expect(kept).toBeCloseTo(0.9, 6);
  expect(Math.abs(alongAxes(Float32Array.from(points), mean, axes)[0]!)).toBeCloseTo(3 * Math.SQRT2, 5);
});

test("frequent tokens start shorter than rare ones", () => {
  const axes = [Float64Array.of(1, 0), Float64Array.of(0, 1)];
  const alone = Float32Array.of(1, 0, -1, 0);
  // Half of all tokens and none: 5 · 0.001 / 0.501, and 5.
  const { rows } = startTable(alone, Float64Array.of(50, 0), axes);
  expect(rows[0]).toBeCloseTo(0.005 / 1.001, 6);
  expect(rows[2]).toBe(-5);
  expect([...countTokens(texts, 4)]).toEqual([1, 2, 3, 0]);
});

test("a row's largest number becomes 127 and a row of zeros stays", () => {
  const { rows, scales } = quantise({ dimensions: 2, rows: Float32Array.of(0.5, -1, 0, 0) });
  expect([...rows]).toEqual([64, -127, 0, 0]);
  expect(scales[0]).toBeCloseTo(1 / 127, 8);
});
