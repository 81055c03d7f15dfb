import { expect, it } from "vitest";
import { fitMaximum } from "./fit-maximum.ts";

it("finds the top of a hill whose sides are of different steepness", () => {
  // −(x − 3)² − 10 (y + 1)² − (x − 3)(y + 1) has its top at (3, −1).
  const top = fitMaximum(
    ([x = 0, y = 0]) => {
      const [a, b] = [x - 3, y + 1];
      return { value: -a * a - 10 * b * b - a * b, slope: Float64Array.of(-2 * a - b, -20 * b - a) };
    },
    Float64Array.of(0, 0),
  );
  expect(top[0]).toBeCloseTo(3, 5);
  expect(top[1]).toBeCloseTo(-1, 5);
});
