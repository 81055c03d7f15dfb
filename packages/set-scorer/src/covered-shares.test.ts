import { expect, test } from "vitest";
import { coverageOf } from "./covered-shares.ts";
import { scoreSets } from "./score-sets.ts";

// e^l is 2, 4 and 1.
const candidates = { ids: Uint32Array.of(7, 3, 9), logits: Float64Array.of(Math.log(2), Math.log(4), 0) };

test("the first k of an order miss nothing where the set is among them, given that there is one", () => {
  // Of Z = 3 · 5 · 2 − 1 = 29, or 30 with the empty set, {3} has 4 and the sets of 3 and 7 have 3 · 5 − 1 = 14.
  for (const scored of [scoreSets(candidates), scoreSets({ ...candidates, emptyScore: 0 })]) {
    const covered = coverageOf(scored, Uint32Array.of(3, 7, 9));
    expect(covered).toHaveLength(4);
    for (const [k, expected] of [0, 4 / 29, 14 / 29, 1].entries()) expect(covered[k]).toBeCloseTo(expected, 12);
  }
});

test("tools that every set holds are counted in", () => {
  // {9} 1, {3, 9} 4, {7, 9} 2, {3, 7, 9} 8, in all 15.
  const covered = coverageOf(scoreSets(candidates, { require: Uint32Array.of(9) }), Uint32Array.of(9, 3, 7));
  for (const [k, expected] of [0, 1 / 15, 5 / 15, 1].entries()) expect(covered[k]).toBeCloseTo(expected, 12);
});
