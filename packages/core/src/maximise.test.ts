import { expect, test } from "vitest";
import { maximise } from "./maximise.ts";

test("a concave function is largest where its slope is 0, however differently it is curved", () => {
  const found = maximise(Float64Array.of(5, 5), ([x = 0, y = 0]) => ({
    value: -(100 * (x - 1) ** 2 + (y + 2) ** 2 + (x - 1) ** 4),
    gradient: Float64Array.of(-200 * (x - 1) - 4 * (x - 1) ** 3, -2 * (y + 2)),
    curvature: Float64Array.of(1, 0, 0, 1),
  }));
  expect(found[0]).toBeCloseTo(1, 3);
  expect(found[1]).toBeCloseTo(-2, 2);
});

test("without the curvature the first step is the gradient, halved until it gains and its value is finite", () => {
  // −(x − 3)² − 10 (y + 1)² − (x − 3)(y + 1) has its top at (3, −1); the whole gradient leads to (5, −17), where there is no value.
  const found = maximise(
    Float64Array.of(0, 0),
    ([x = 0, y = 0]) => {
      const [a, b] = [x - 3, y + 1];
      return {
        value: y < -10 ? Number.NaN : -a * a - 10 * b * b - a * b,
        gradient: Float64Array.of(-2 * a - b, -20 * b - a),
      };
    },
    { leastGain: 0 },
  );
  expect(found[0]).toBeCloseTo(3, 5);
  expect(found[1]).toBeCloseTo(-1, 5);
});

test("with the curvature where it begins a parabola takes one step", () => {
  let looks = 0;
  const found = maximise(Float64Array.of(300, -7), ([x = 0, y = 0]) => {
    looks++;
    return {
      value: -(1e6 * (x - 1) ** 2 + (y + 2) ** 2) / 2,
      gradient: Float64Array.of(-1e6 * (x - 1), -(y + 2)),
      curvature: Float64Array.of(1e6, 0, 0, 1),
    };
  });
  expect(found[0]).toBeCloseTo(1, 9);
  expect(found[1]).toBeCloseTo(-2, 9);
  // Where it begins, the maximum, and no gain from there.
  expect(looks).toBeLessThanOrEqual(3);
});
