import { describe, expect, it } from "vitest";
import { mcnemar } from "./mcnemar.ts";

describe("mcnemar", () => {
  it("is exact for small counts, as by hand", () => {
    // 1 against 5: 2 · (1 + 6) / 64.
    expect(mcnemar(1, 5).p).toBeCloseTo(14 / 64, 12);
    expect(mcnemar(5, 1)).toEqual({ onlyFirst: 5, onlySecond: 1, p: mcnemar(1, 5).p });
    // 0 against 10: 2 / 1024.
    expect(mcnemar(0, 10).p).toBeCloseTo(2 / 1024, 12);
  });

  it("is 1 where the two are even, or never differ", () => {
    expect(mcnemar(0, 0).p).toBe(1);
    expect(mcnemar(4, 4).p).toBe(1);
    expect(mcnemar(600, 600).p).toBeCloseTo(1, 6);
  });

  it("goes over from the exact to the normal form without a step", () => {
    // 1,000 exactly: z = (80 − 1) / √1000 = 2.498, two-sided p = .01248.
    expect(mcnemar(460, 540).p).toBeCloseTo(0.0125, 3);
    // 1,002 by the normal form: z = 79 / √1002 = 2.4957, p = .01257.
    expect(mcnemar(461, 541).p).toBeCloseTo(0.01257, 4);
    expect(mcnemar(1, 100_000).p).toBeLessThan(1e-12);
  });
});
