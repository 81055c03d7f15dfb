import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { balancedSize, completeSize, expectedF1, likeliestSize } from "./goal.ts";
import { coverage, setDistribution } from "./set-distribution.ts";

const logit = fc.double({ min: -4, max: 4, noNaN: true });

describe("expectedF1", () => {
  it("is the mean of F1 over all sets, weighted by their probability", () => {
    fc.assert(
      fc.property(fc.array(logit, { minLength: 1, maxLength: 7 }), (unsorted) => {
        const logits = unsorted.toSorted((a, b) => b - a);
        const offsets = [0.3, -0.2, 0.5, 0.1];
        const values = expectedF1(setDistribution(Float64Array.from(logits), Float64Array.from(offsets)));
        for (let k = 1; k <= logits.length; k++) {
          let total = 0;
          let weighted = 0;
          for (let mask = 0; mask < 2 ** logits.length; mask++) {
            const members = logits.map((_, t) => t).filter((t) => (mask >> t) & 1);
            const offset = offsets[members.length];
            if (offset === undefined) continue;
            const weight = Math.exp(members.reduce((sum, t) => sum + (logits[t] as number), offset));
            total += weight;
            weighted += (weight * 2 * members.filter((t) => t < k).length) / (k + members.length);
          }
          expect(values[k - 1]).toBeCloseTo(weighted / total, 9);
        }
      }),
    );
  });
});

describe("sizes for a goal", () => {
  it("keep one tool when one stands far above the rest", () => {
    const logits = Float64Array.of(9, 0, 0);
    const offsets = Float64Array.of(-Infinity, 0, 0, 0);
    // Sets with the first tool weigh e^9 times more, but a second tool is free: {1}, {1,2}, {1,3}, {1,2,3} are equally likely.
    expect(likeliestSize(logits, offsets)).toBe(1);
    expect(balancedSize(setDistribution(logits, Float64Array.of(-Infinity, 0, -6, -12)))).toBe(1);
  });

  it("keep both when both stand out and pairs are usual", () => {
    const offsets = Float64Array.of(-Infinity, 0, 4, -9);
    expect(likeliestSize(Float64Array.of(3, 3, -5), offsets)).toBe(2);
    expect(balancedSize(setDistribution(Float64Array.of(3, 3, -5), offsets))).toBe(2);
  });

  it("are 0 for an empty pool", () => {
    expect(likeliestSize(new Float64Array(0), Float64Array.of(0, 1))).toBe(0);
    expect(balancedSize(setDistribution(new Float64Array(0), Float64Array.of(0, 1)))).toBe(0);
  });

  it("complete a set as long as one more tool is worth its price, worked out by hand", () => {
    // Steps 0.5, 0.2, 0.03, to the power 0.7: 0.616, 0.324, 0.086, of 1.026 in all: 0.600, 0.316, 0.084.
    const covered = Float64Array.of(0, 0.5, 0.7, 0.73);
    expect(completeSize(covered, 0.35)).toBe(1);
    expect(completeSize(covered, 0.3)).toBe(2);
    expect(completeSize(covered, 0.09)).toBe(2);
    expect(completeSize(covered, 0.08)).toBe(3);
    // Of equals the smaller, and one at least.
    expect(completeSize(Float64Array.of(0, 0, 0), 0)).toBe(1);
    expect(completeSize(coverage(new Float64Array(0), Float64Array.of(-Infinity, 0)))).toBe(0);
  });
});
