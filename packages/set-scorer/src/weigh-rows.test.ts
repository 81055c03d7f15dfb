import { expect, test } from "vitest";
import { weighRows } from "./weigh-rows.ts";

test("five rows of two are added up, each times its number", () => {
  const rows = Float32Array.of(9, 9, 1, 10, 2, 20, 3, 30, 4, 40, 5, 50);
  const factors = Float32Array.of(7, 1, 2, 3, 4, 5);
  // From the second row and the second number on: 1 + 4 + 9 + 16 + 25 = 55, and ten times that.
  expect([...weighRows({ rows, start: 2, width: 2, factors, first: 1, count: 5 })]).toEqual([55, 550]);
});
