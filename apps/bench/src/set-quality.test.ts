import type { SetPrior } from "@setwise/adaptive-k";
import { expect, test } from "vitest";
import { difference, quality } from "./set-quality.ts";

/** A prior that takes `size` tools, whatever the scores. */
const always = (size: number): SetPrior => ({
  score: 0,
  gapToBest: 100,
  sizeOffsets: [1, 2, 3, 4, 5].map((m) => (m === size ? 1000 : 0)),
  sizeSlopes: [0, 0, 0, 0, 0],
});
const row = (weight: number, ...right: readonly number[]) => ({
  scores: Float32Array.of(1, 0.5, 0.2, 0.1, 0),
  requests: 1,
  wordEvidence: 2,
  right,
  weight,
});
// Two groups: one row whose right tool is the first, and two rows whose right tools are the first two.
const rows = [row(1, 0), row(0.5, 0, 1), row(0.5, 0, 1)];

test("groups count alike, however many rows they have", () => {
  // One tool: F1 100 in the first group, 2 · 1 · 0.5 / 1.5 = 66.7 in the second; two tools: the other way round.
  expect(quality(always(1), rows)).toBe("balanced F1 83.3, exact match of the likeliest 50.0, of two tools F1 83.3");
  expect(quality(always(2), rows)).toBe("balanced F1 83.3, exact match of the likeliest 50.0, of two tools F1 83.3");
});

test("the difference is paired, and its interval is of drawn rows", () => {
  // With each data set's own prior: the first has 83.3 with one tool, where the second has it with two; no row changes.
  expect(
    difference(
      [rows, rows],
      "f1",
      () => always(1),
      () => always(1),
    ),
  ).toBe("0.00 (95 %: 0.00 to 0.00)");
  // A group of one row gains 33.3, the other loses 33.3: both are without spread.
  expect(
    difference(
      [[row(1, 0)]],
      "f1",
      () => always(1),
      () => always(2),
    ),
  ).toBe("33.33 (95 %: 33.33 to 33.33)");
  expect(
    difference(
      [rows],
      "exactMatch",
      () => always(2),
      () => always(1),
    ),
  ).toBe("0.00 (95 %: 0.00 to 0.00)");
});
