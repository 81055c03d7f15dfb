import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenBatches } from "./token-batches.ts";

test("texts of like length share a batch, equal ones in their order", () => {
  expect(tokenBatches([3, 9, 4, 3], { tokens: 9 })).toEqual([[0, 3], [2], [1]]);
  expect(tokenBatches([3, 9, 4], { tokens: 8 })).toEqual([[0, 2], [1]]);
  expect(tokenBatches([], { tokens: 8 })).toEqual([]);
});

test("a limit of 0 gives each text a batch of its own", () => {
  expect(tokenBatches([2, 1, 2], { tokens: 0 })).toEqual([[1], [0], [2]]);
});

test("every text is in exactly one batch, and no batch of several texts is over the limit", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 1_000 }), (list, tokens) => {
      const batches = tokenBatches(list, { tokens });
      expect(batches.flat().sort((left, right) => left - right)).toEqual([...list.keys()]);
      for (const batch of batches)
        if (batch.length > 1)
          expect(batch.length * Math.max(...batch.map((position) => list[position] ?? 0))).toBeLessThanOrEqual(tokens);
    }),
  );
});
