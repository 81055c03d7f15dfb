import { expect, test } from "vitest";
import { pairedBootstrap } from "./paired-bootstrap.ts";

test("equal differences have an interval of no width, and groups count the same however large", () => {
  // The means of the groups are 2 and 0.
  expect(pairedBootstrap([Array.from({ length: 50 }, () => 2), [0]])).toMatchObject({
    mean: 1,
    low: 1,
    high: 1,
  });
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

test("the p-value is near the normal one, and no smaller than the resamples can tell", () => {
  // 50 times +1 and 30 times −1: mean .25, standard error √(1 − .0625) / √80 = .108; z = 2.31, p = .021.
  const { p } = pairedBootstrap([[...Array.from({ length: 50 }, () => 1), ...Array.from({ length: 30 }, () => -1)]]);
  expect(p).toBeGreaterThan(0.01);
  expect(p).toBeLessThan(0.04);
  expect(pairedBootstrap([[1, 1, 1]], { resamples: 99 }).p).toBe(2 / 100);
  expect(pairedBootstrap([[0, 0]]).p).toBe(1);
});

test("the same seed gives the same interval, another seed another one", () => {
  const group = Array.from({ length: 200 }, (_, i) => Math.sin(i * i));
  expect(pairedBootstrap([group])).toEqual(pairedBootstrap([group]));
  expect(pairedBootstrap([group], { seed: 8 }).low).not.toBe(pairedBootstrap([group]).low);
});

test("without pairs nothing is known, and an empty group does not count", () => {
  expect(pairedBootstrap([[]]).mean).toBeNaN();
  expect(pairedBootstrap([[], [1, 1]]).mean).toBe(1);
});
