import fc from "fast-check";
import { expect, test } from "vitest";
import { bestFirst } from "./best-first.ts";

test("the k best come first, equal scores by lower ordinal: the same as sorting all", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 })), fc.nat(60), (values, k) => {
      const scores = Float32Array.from(values);
      const all = Uint32Array.from(values.keys());
      const sorted = [...all].sort((a, b) => scores[b]! - scores[a]! || a - b);
      expect([...bestFirst(all.toReversed(), all.length, scores, k)]).toEqual(sorted.slice(0, k));
    }),
  );
});

test("only the first `count` are looked at, and nothing comes of nothing", () => {
  const scores = Float32Array.of(1, 9, 3);
  expect([...bestFirst(Uint32Array.of(0, 2, 1), 2, scores, 5)]).toEqual([2, 0]);
  expect(bestFirst(new Uint32Array(0), 0, scores, 5)).toHaveLength(0);
  expect(bestFirst(Uint32Array.of(0, 1), 2, scores, 0)).toHaveLength(0);
});
