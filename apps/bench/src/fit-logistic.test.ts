import { expect, it } from "vitest";
import { fitLogistic } from "./fit-logistic.ts";

it("finds the odds of two groups, worked out by hand", () => {
  // At 0 one of four is true: bias = ln(1/3). At 1 three of four: bias + coefficient = ln 3, so the coefficient is 2 ln 3.
  const row = (value: number, isTrue: boolean, weight: number) => ({ values: [value], isTrue, weight });
  const { coefficients, bias } = fitLogistic([row(0, true, 1), row(0, false, 3), row(1, true, 3), row(1, false, 1)]);
  expect(bias).toBeCloseTo(-Math.log(3), 4);
  expect(coefficients[0]).toBeCloseTo(2 * Math.log(3), 4);
});

it("tells two inputs apart, and weights are as good as copies", () => {
  const rows = [
    [0, 0, false],
    [1, 0, true],
    [0, 1, false],
    [1, 1, true],
    [1, 1, false],
    [0, 0, true],
  ] as const;
  const of = (copies: number, weight: number) =>
    fitLogistic(
      rows.flatMap(([a, b, isTrue]) => Array.from({ length: copies }, () => ({ values: [a, b], isTrue, weight }))),
    );
  const [copied, weighted] = [of(3, 1), of(1, 3)];
  expect(copied.bias).toBeCloseTo(weighted.bias, 9);
  expect(copied.coefficients[0]).toBeGreaterThan(0);
  expect(copied.coefficients[0]).toBeGreaterThan(copied.coefficients[1] ?? 0);
});
