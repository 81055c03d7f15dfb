import { expect, test } from "vitest";
import { foreignMargin } from "./foreign-margin.ts";

test("a query has a margin of how near the tools at hand are less how near foreign ones are, worked out by hand", () => {
  // Six foreign tools: cosines with (1, 0) are 1, 1, 0, 0, 0 and −1, of which the five largest count, −1 not.
  const rows = Int8Array.of(127, 0, 127, 0, 0, 127, 0, 127, 0, -127, -127, 0);
  const asked: number[][] = [];
  const own = {
    tools: 30,
    meanCosine: () => 0.3,
    largestCosines: (some: Float32Array) => {
      asked.push([...some]);
      return Float32Array.from({ length: some.length / 2 }, (_, row) => (some[2 * row] === 1 ? 0.9 : 0.1));
    },
  };
  const margin = foreignMargin(new Uint8Array(rows.buffer), 2);
  // 0.8 − 2 / 5 + 0.15 · (0.9 + 0.9 + 3 · 0.1) / 5 + 30 / 40 · (0.3 − (1 + 1 − 1) / 6).
  expect(margin(Float32Array.of(1, 0), 0.8, own)).toBeCloseTo(0.8 - 0.4 + 0.063 + 0.75 * (0.3 - 1 / 6), 6);
  // What a foreign tool has in common with the tools at hand is found out once.
  margin(Float32Array.of(1, 0), 0.8, own);
  expect(asked.map((some) => some.length / 2)).toEqual([5]);
});
