import { describe, expect, it } from "vitest";
import { chooseK as chooseBy, type ChooseKOptions, type Cut } from "./choose-k.ts";
import { boundaryPolicy, budgetPolicy, fixedPolicy } from "./cut-policies.ts";

/** Constants of its own, so that what is expected does not change whenever constants are fitted anew. */
const prior = {
  score: 10,
  gapToBest: -2,
  sizeOffsets: [21, 11.4, 0.9, -10.4, -23],
  sizeSlopes: [-1.8, -0.7, 0.5, 0.9, 1.1],
};
const chooseK = (scores: Float32Array, options: ChooseKOptions = {}): Cut => chooseBy(scores, { prior, ...options });
const clearWinner = Float32Array.of(1.1, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05);
/** One that stands out, and some that may be right as well. */
const leader = Float32Array.of(1.1, 0.8, 0.7, 0.65, 0.6, 0.5);
const threeAlike = Float32Array.of(1.1, 1.05, 1.0, 0.2, 0.15, 0.1);
const kept = (cut: Cut): number[] => [...cut.kept];

describe("chooseK", () => {
  it("keeps the one clear winner alone, and adds spare tools to a leader where a tool may be missed and the goal asks", () => {
    for (const goal of ["balanced", "exact", "complete"] as const) {
      expect(kept(chooseK(clearWinner, { goal }))).toEqual([0]);
    }
    expect(kept(chooseK(leader, { goal: "balanced" }))).toEqual([0]);
    expect(kept(chooseK(leader, { goal: "exact" }))).toEqual([0]);
    expect(chooseK(leader)).toMatchObject({ k: 5, coreSize: 1 });
  });

  it("keeps more tools when the query makes more requests", () => {
    const one = chooseK(threeAlike, { goal: "balanced", requests: 1 }).k;
    const three = chooseK(threeAlike, { goal: "balanced", requests: 4 }).k;
    expect(three).toBeGreaterThanOrEqual(one);
    expect(three).toBe(3);
  });

  it("refuses when it is improbable that any tool fits, unless the caller sets a minimum", () => {
    expect(chooseK(clearWinner, { probabilityNothingFits: 0.9 }).k).toBe(0);
    expect(chooseK(clearWinner, { probabilityNothingFits: 0.5 }).k).toBe(1);
    expect(chooseK(clearWinner, { probabilityNothingFits: 0.9, minK: 2 }).k).toBe(2);
    expect(chooseK(clearWinner, { probabilityNothingFits: 1 })).toMatchObject({ k: 0, coreSize: 0 });
  });

  it("gives the empty set the probability it was told", () => {
    const cut = chooseK(threeAlike, { probabilityNothingFits: 0.3 });
    expect(cut.sizes[0]).toBeCloseTo(0.3, 9);
    const without = chooseK(threeAlike);
    // Every other probability shrinks by the same factor.
    expect(cut.inclusion[0]).toBeCloseTo(0.7 * (without.inclusion[0] as number), 9);
  });

  it("keeps the shape of its columns when it is certain that nothing fits", () => {
    const { sizes, inclusion } = chooseK(threeAlike, { probabilityNothingFits: 1 });
    expect([...sizes]).toEqual([1, 0, 0, 0, 0, 0]);
    expect([...inclusion]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("obeys minimum and maximum", () => {
    expect(chooseK(clearWinner, { maxK: 1 })).toMatchObject({ k: 1, coreSize: 1 });
    expect(chooseK(clearWinner, { minK: 5 }).k).toBe(5);
    expect(chooseK(clearWinner, { minK: 50 }).k).toBe(7);
    expect(chooseK(clearWinner, { maxK: 0 })).toMatchObject({ k: 0, coreSize: 0 });
    expect(() => chooseK(clearWinner, { minK: 3, maxK: 2 })).toThrow(/minK \(3\)/);
  });

  it("passes over a tool that does not fit the token budget and goes on", () => {
    const tokens = Uint32Array.of(900, 50, 50, 50, 50, 50, 50);
    expect(kept(chooseK(clearWinner, { tokens, maxTokens: 120, minK: 3 }))).toEqual([1, 2]);
    expect(chooseK(clearWinner, { tokens, maxTokens: 10 }).k).toBe(0);
    expect(() => chooseK(clearWinner, { maxTokens: 10 })).toThrow(/tokens must have 7 entries/);
  });

  it("counts of a set within a budget what was kept, and says so", () => {
    const two = Float32Array.of(1.1, 1, 0.3, 0.2, 0.1);
    const policy = fixedPolicy(2);
    const tokens = Uint32Array.of(100, 100, 9, 9, 100);
    expect(chooseK(two, { policy, tokens, maxTokens: 18, minK: 3 })).toMatchObject({
      kept: Uint32Array.of(2, 3),
      coreSize: 0,
      reason: "2 were asked for, whatever the scores. Within 18 tokens 2 are kept, 0 of the first 2 among them.",
    });
    expect(chooseK(two, { policy, tokens, maxTokens: 109 })).toMatchObject({
      kept: Uint32Array.of(0, 2),
      coreSize: 1,
      reason: "2 were asked for, whatever the scores. Within 109 tokens 2 are kept, 1 of the first 2 among them.",
    });
    expect(chooseK(two, { policy, tokens, maxTokens: 0 })).toMatchObject({
      k: 0,
      coreSize: 0,
      reason: "2 were asked for, whatever the scores. Within 0 tokens none fits.",
    });
    // What fits is not spoken of.
    expect(chooseK(two, { policy, tokens, maxTokens: 200 })).toMatchObject({
      coreSize: 2,
      reason: "2 were asked for, whatever the scores.",
    });
  });

  it("refuses tokens that are no numbers of at least 0, of which any budget would hold all", () => {
    for (const cost of [Number.NaN, -5, Infinity, "3"]) {
      const tokens = Array.from({ length: 7 }, () => cost) as never;
      for (const options of [{ tokens, maxTokens: 1 }, { policy: budgetPolicy(tokens, 1) }]) {
        expect(() => chooseK(clearWinner, options), String(cost)).toThrow(/tokens.*but entry 0 is/);
      }
    }
    const columns = new Float32Array(7).fill(Number.NaN) as never;
    expect(() => chooseK(clearWinner, { tokens: columns, maxTokens: 1 })).toThrow(/tokens/);
  });

  it("follows the boundary rule when asked to", () => {
    expect(chooseK(threeAlike, { policy: boundaryPolicy() }).k).toBe(3);
    expect(chooseK(threeAlike, { policy: boundaryPolicy(), maxK: 2 }).k).toBe(2);
  });

  it("says why", () => {
    expect(chooseK(clearWinner, { goal: "balanced" }).reason).toBe("The first 1 have the largest expected F1.");
    expect(chooseK(clearWinner, { goal: "exact" }).reason).toBe("The likeliest set has 1.");
    expect(chooseK(leader).reason).toBe("The first 5 miss a tool with a probability of 2 %; one more is not worth it.");
    expect(chooseK(clearWinner, { probabilityNothingFits: 0.9 }).reason).toBe(
      "Nothing fits with a probability of 90 %, more than 80 %.",
    );
    expect(chooseK(new Float32Array(0)).reason).toBe("There is no candidate.");
    expect(chooseK(clearWinner, { goal: "balanced", minK: 4 }).reason).toMatch(/The limits make it 4\.$/);
  });

  it("keeps a set of some size where all scores are equal", () => {
    const equal = new Float32Array(12).fill(0.7);
    for (const goal of ["complete", "balanced", "exact"] as const) {
      const { k } = chooseK(equal, { goal });
      expect(k).toBeGreaterThanOrEqual(1);
      expect(k).toBeLessThanOrEqual(10);
    }
  });

  it("answers nothing for nothing", () => {
    expect(chooseK(new Float32Array(0))).toMatchObject({ k: 0, coreSize: 0 });
    expect(chooseK(new Float32Array(0), { minK: 3 }).k).toBe(0);
  });

  it("refuses goals, policies, constants and requests that are none", () => {
    const scores = Float32Array.of(1, 0.5);
    for (const options of [
      { goal: "most" },
      { policy: "none" },
      { policy: { name: "own", cut: () => ({ k: 3, reason: "" }) } },
      { policy: { name: "own", cut: () => ({ k: Number.NaN, reason: "" }) } },
      { policy: { name: "own", cut: () => ({ k: 1, coreSize: 2, reason: "" }) } },
      { policy: { name: "own", cut: () => ({ k: 2, coreSize: 1.5, reason: "" }) } },
      { policy: { name: "own", cut: () => null } },
      { prior: null },
      { prior: {} },
      { prior: { ...prior, score: Number.NaN } },
      { prior: { ...prior, sizeOffsets: [], sizeSlopes: [] } },
      { requests: Number.NaN },
      { requests: -1 },
    ]) {
      expect(() => chooseK(scores, options as never), JSON.stringify(options)).toThrow(
        expect.objectContaining({ code: "invalid-argument" }),
      );
    }
  });

  it("refuses scores it cannot order and numbers that are none", () => {
    expect(() => chooseK([1, 0.5] as never)).toThrow(/must be a Float32Array/);
    expect(() => chooseK(Float32Array.of(1, Number.NaN))).toThrow(/score 1 is NaN/);
    expect(() => chooseK(Float32Array.of(Infinity))).toThrow(/score 0 is Infinity/);
    expect(() => chooseK(Float32Array.of(0.1, 0.2))).toThrow(/best first/);
    expect(() => chooseK(clearWinner, { maxK: 1.5 })).toThrow(/maxK must be a whole number/);
    expect(() => chooseK(clearWinner, { probabilityNothingFits: 2 })).toThrow(/0\.\.1/);
  });
});
