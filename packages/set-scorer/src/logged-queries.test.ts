import { expect, test } from "vitest";
import { keepLoggedQueries, loggedQueryFinder } from "./logged-queries.ts";

const vectors = Float32Array.of(1, 0, 1, 0, 0, 1, 0.6, 0.8);

test("the nearest logged request tells how far a new one is from all of them", () => {
  const finder = loggedQueryFinder(keepLoggedQueries(vectors, 2, [0, 2]), 2);
  // cos with (1, 0) is 0.8, with (0, 1) 0.6; (0.6, 0.8), of which it would be 0.96, is not kept.
  expect(finder.nearest(Float32Array.of(0.8, 0.6))).toBeCloseTo(0.8, 6);
  finder.dispose();
});

test("without logged requests nothing is near", () => {
  const finder = loggedQueryFinder(keepLoggedQueries(vectors, 2, []), 2);
  expect(finder.nearest(Float32Array.of(1, 0))).toBe(0);
  finder.dispose();
});

test("of a log that is too large evenly spaced requests are kept", () => {
  const many = Float32Array.from({ length: 10_000 }, (_, at) => at);
  const kept = keepLoggedQueries(many, 1, [...many.keys()]);
  expect(kept).toHaveLength(5_000);
  expect([...kept.subarray(0, 3)]).toEqual([0, 2, 4]);
});
