import { enumerateHyperedges } from "@setwise/native";
import { expect, test } from "vitest";
import { plainDistribution } from "./plain-distribution.ts";

test("of tools of weights 1 and 2, sets of one weigh 3 and the set of two 2, with the empty set of 1 in all 6", () => {
  const { logPartition, inclusion, sizes } = plainDistribution(Float64Array.of(0, Math.log(2)), [0, 0], 0);
  expect(logPartition).toBeCloseTo(Math.log(6), 12);
  // {a}, {a, b} weigh 1 + 2; {b}, {a, b} weigh 2 + 2.
  expect(inclusion[0]).toBeCloseTo(3 / 6, 12);
  expect(inclusion[1]).toBeCloseTo(4 / 6, 12);
  expect([...sizes].map((size) => Math.round(6 * size))).toEqual([1, 3, 2]);
});

test("it says what an enumeration of all sets says, also where one logit is far above the others", () => {
  const logits = Float64Array.of(-3, 0.5, -1.25, 40, 2, -30);
  const offsets = [0.3, -1, 2];
  const options = { maxSize: 3, sizeOffsets: Float64Array.from(offsets), count: 0, distribution: true } as const;
  const { distribution } = enumerateHyperedges(logits, new Float64Array(2 * 36), options);
  const found = plainDistribution(logits, offsets, undefined);
  expect(found.logPartition).toBeCloseTo(distribution?.logPartition ?? 0, 10);
  for (const [at, value] of found.inclusion.entries()) expect(value).toBeCloseTo(distribution?.inclusion[at] ?? 0, 10);
  for (const [at, value] of found.sizes.entries()) expect(value).toBeCloseTo(distribution?.sizes[at] ?? 0, 10);
});

test("with fewer tools than a set may have, larger sets have no probability", () => {
  const { sizes, inclusion } = plainDistribution(Float64Array.of(1), [0, 5, 5], undefined);
  expect([...sizes]).toEqual([0, 1, 0, 0]);
  expect([...inclusion]).toEqual([1]);
});
