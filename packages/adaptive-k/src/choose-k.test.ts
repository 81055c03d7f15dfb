import { describe, expect, it } from "vitest";
import { chooseK, type Cut } from "./choose-k.ts";

const clearWinner = Float32Array.of(1.1, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05);
const threeAlike = Float32Array.of(1.1, 1.05, 1.0, 0.2, 0.15, 0.1);
const kept = (cut: Cut): number[] => [...cut.kept];

describe("chooseK", () => {
  it("keeps the one clear winner, alone or with spare tools, as the goal asks", () => {
    expect(kept(chooseK(clearWinner, { goal: "balanced" }))).toEqual([0]);
    expect(kept(chooseK(clearWinner, { goal: "exact" }))).toEqual([0]);
    expect(chooseK(clearWinner)).toMatchObject({ k: 3, coreSize: 1 });
  });

  it("keeps more tools when the query makes more requests", () => {
    const one = chooseK(threeAlike, { goal: "balanced", requests: 1 }).k;
    const three = chooseK(threeAlike, { goal: "balanced", requests: 4 }).k;
    expect(three).toBeGreaterThanOrEqual(one);
    expect(three).toBe(3);
  });

  it("refuses when it is improbable that any tool fits, unless the caller sets a minimum", () => {
    expect(chooseK(clearWinner, { probabilityNothingFits: 0.9 }).k).toBe(0);
    expect(chooseK(clearWinner, { probabilityNothingFits: 0.5 }).k).toBe(3);
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
    expect(kept(chooseK(clearWinner, { tokens, maxTokens: 120 }))).toEqual([1, 2]);
    expect(chooseK(clearWinner, { tokens, maxTokens: 10 }).k).toBe(0);
    expect(() => chooseK(clearWinner, { maxTokens: 10 })).toThrow(/tokens must have 7 entries/);
  });

  it("follows the boundary rule when asked to", () => {
    expect(chooseK(threeAlike, { policy: "boundary" }).k).toBe(3);
    expect(chooseK(threeAlike, { policy: "boundary", maxK: 2 }).k).toBe(2);
  });

  it("answers nothing for nothing", () => {
    expect(chooseK(new Float32Array(0))).toMatchObject({ k: 0, coreSize: 0 });
    expect(chooseK(new Float32Array(0), { minK: 3 }).k).toBe(0);
  });

  it("refuses goals, policies, requests and similarities that are none", () => {
    const scores = Float32Array.of(1, 0.5);
    for (const options of [
      { goal: "most" },
      { policy: "none" },
      { requests: Number.NaN },
      { requests: -1 },
      { policy: "boundary", similarities: Float32Array.of(Number.NaN) },
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
