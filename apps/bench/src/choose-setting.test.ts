import { expect, test } from "vitest";
import { chooseSetting, compareSettings, leaveOneOut } from "./choose-setting.ts";
import type { MeasuredSet } from "./measured-settings.ts";

/** A data set of one query, with the value of each setting. */
const set = (name: string, ...values: readonly number[]): MeasuredSet => ({
  name,
  queries: 1,
  values: Float32Array.from(values),
});

// Setting 1 has the best mean (55 beside 50, 51, 50), at the second data set's cost; setting 2 costs nobody more than 0.1.
const measured = [set("one", 50, 70, 52.05, 50), set("two", 50, 40, 49.95, 50)];

test("the best mean is chosen, or the best that no data set pays for", () => {
  expect(chooseSetting(measured, 0, "mean")).toBe(1);
  expect(chooseSetting(measured, 0, "without-loss")).toBe(2);
});

test("where nothing is better the present one stays, also among its equals", () => {
  expect(chooseSetting(measured, 3, "without-loss")).toBe(2);
  expect(chooseSetting([set("one", 5, 5, 4)], 1, "mean")).toBe(1);
});

test("a data set that is left out does not choose, at any level", () => {
  // At both levels of "one" setting 1 is the best, which "two" has at 40 of 50, and the other way round.
  const levels = [...measured, set("one", 50, 60, 50, 50), set("two", 50, 44, 50, 56)];
  expect(leaveOneOut(levels, 0, "mean")).toEqual([
    // "two" alone: 50, 42, 50 and 53 on the mean.
    { name: "one", chosen: 3, gain: 0 },
    // "one" alone: 65 for setting 1, by which "two" loses 10 and 6.
    { name: "two", chosen: 1, gain: -8 },
  ]);
});

test("the comparison is paired and every data set counts alike", () => {
  const two: MeasuredSet = { name: "two", queries: 2, values: Float32Array.of(1, 2, 4, 5) };
  // Both queries of the second gain 3, the one of the first loses 1.
  expect(compareSettings([set("one", 2, 1), two], 1, 0)).toMatchObject({ mean: 1, low: 1, high: 1 });
});
