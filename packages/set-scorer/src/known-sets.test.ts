import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addGains } from "./add-gains.ts";
import { countKnownSets, knownSetFinder } from "./known-sets.ts";
import { rankTools } from "./rank-tools.ts";
import { scoreSets } from "./score-sets.ts";

describe("known sets", () => {
  const sets = countKnownSets([
    Uint32Array.of(1, 4),
    Uint32Array.of(7),
    Uint32Array.of(1, 4),
    Uint32Array.of(2, 4, 6),
    Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8),
  ]);

  test("are those of two tools to eight, with ln(1 + n)", () => {
    expect([...sets.offsets]).toEqual([0, 2, 5]);
    expect([...sets.members]).toEqual([1, 4, 2, 4, 6]);
    expect(sets.values[0]).toBeCloseTo(Math.log(3), 6);
    expect(sets.values[1]).toBeCloseTo(Math.log(2), 6);
  });

  test("are found where all their tools are", () => {
    const finder = knownSetFinder(sets);
    expect(finder.within(Uint32Array.of(1, 2, 4))).toEqual([0]);
    expect(finder.within(Uint32Array.of(1, 2, 4, 6))).toEqual([0, 1]);
    expect(finder.within(Uint32Array.of(3))).toEqual([]);
  });
});

describe("what sets gain", () => {
  const scored = scoreSets({ ids: Uint32Array.of(5, 6, 9), logits: Float64Array.of(0, 0, 0) });

  test("goes into all probabilities: of seven equal sets one of two tools becomes as likely as three", () => {
    const members = {
      offsets: Uint32Array.of(0, 2),
      members: Uint32Array.of(0, 2),
      gains: Float64Array.of(Math.log(3)),
    };
    const { best, inclusion, sizes, logZ, expectedSize } = addGains(scored, members);
    expect([...(best[0]?.ids ?? [])]).toEqual([5, 9]);
    expect(best[0]?.probability).toBeCloseTo(3 / 9, 12);
    expect(logZ).toBeCloseTo(Math.log(9), 12);
    // Of the nine: tool 5 is in four sets and twice more in one of them; sizes are 3, 3 + 2 and 1.
    expect([...inclusion].map((value) => value * 9)).toEqual(
      [6, 4, 6].map((value) => expect.closeTo(value, 9) as number),
    );
    expect([...sizes.subarray(1, 4)].map((value) => value * 9)).toEqual(
      [3, 5, 1].map((value) => expect.closeTo(value, 9) as number),
    );
    expect(expectedSize).toBeCloseTo((3 + 10 + 3) / 9, 12);
  });

  test("changes nothing where the constraints forbid those sets", () => {
    const few = scoreSets({ ids: Uint32Array.of(5, 6), logits: Float64Array.of(0, 0) }, { maxTools: 1 });
    const gains = { offsets: Uint32Array.of(0, 2), members: Uint32Array.of(0, 1), gains: Float64Array.of(1) };
    expect(addGains(few, gains)).toBe(few);
  });

  test("counts in the ranking: the two tools of the set come before the one that is as likely by itself", () => {
    const gains = { offsets: Uint32Array.of(0, 2), members: Uint32Array.of(1, 2), gains: Float64Array.of(2) };
    expect([...rankTools(addGains(scored, gains)).ids]).toEqual([6, 9, 5]);
  });

  test("is the same as if it stood in the pair scores, for sets of two", () => {
    const numbers = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(numbers, fc.double({ min: 0.1, max: 3, noNaN: true }), (values, gain) => {
        const ids = Uint32Array.of(0, 1, 2, 3, 4);
        const logits = Float64Array.from(values);
        const sizeOffsets = Float64Array.of(0, 0);
        const pairScores = new Float64Array(25);
        pairScores[1 * 5 + 3] = pairScores[3 * 5 + 1] = gain;
        const inPairs = scoreSets({ ids, logits, pairScores, sizeOffsets });
        const plain = scoreSets({ ids, logits, sizeOffsets });
        const gained = addGains(plain, {
          offsets: Uint32Array.of(0, 2),
          members: Uint32Array.of(1, 3),
          gains: Float64Array.of(gain),
        });
        expect(gained.logZ).toBeCloseTo(inPairs.logZ, 9);
        expect(gained.best[0]?.score).toBeCloseTo(inPairs.best[0]?.score ?? 0, 9);
        for (const [at, value] of inPairs.inclusion.entries()) expect(gained.inclusion[at]).toBeCloseTo(value, 9);
      }),
      { numRuns: 50 },
    );
  });
});
