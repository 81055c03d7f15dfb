import { describe, expect, it } from "vitest";
import { calibrate, type CalibrationRequest } from "./calibrate.ts";
import { chooseK } from "./choose-k.ts";
import { hybridPrior } from "./set-prior.ts";

const gate = { margin: 10, bias: 0 };
const scores = Float32Array.of(1, 0.8, 0.6, 0.5, 0.4, 0.3);
const log = (count: number, right: readonly number[]): CalibrationRequest[] =>
  Array.from({ length: count }, () => ({ scores, right, rightTools: right.length }));
const refused = expect.objectContaining({ code: "invalid-argument" });

describe("calibrate", () => {
  it("moves the likeliest size to that of the log", () => {
    for (const right of [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]) {
      const { prior, used } = calibrate(log(30, right), { prior: hybridPrior });
      expect(used).toBe(30);
      expect(chooseK(scores, { goal: "exact", prior }).k).toBe(right.length);
    }
  });

  it("hears twenty requests less than two hundred", () => {
    const sizeOne = (count: number): number =>
      chooseK(scores, { prior: calibrate(log(count, [0]), { prior: hybridPrior }).prior }).sizes[1] ?? 0;
    const before = chooseK(scores, { prior: hybridPrior }).sizes[1] ?? 0;
    expect(sizeOne(20)).toBeGreaterThan(before);
    expect(sizeOne(200)).toBeGreaterThan(sizeOne(20));
  });

  it("opens the gate for requests that a tool serves, as far as the stated share needs, and says so", () => {
    // logit(0.2) = −1.386. With −2 all are refused; a shift of 0.614 lets all through.
    const requests = log(30, [0]).map((request) => ({ ...request, margin: -0.2 }));
    const { gate: moved, changes } = calibrate(requests, { prior: hybridPrior, gate });
    expect(moved?.bias).toBeCloseTo(2 + Math.log(0.25), 6);
    expect(changes[1]).toBe(
      "Of 30 requests that a tool serves 0 are refused by meaning (before: 30), of 0 that none serves 0 (before: 0).",
    );
  });

  it("leaves the gate where it is when it refuses no more than it says", () => {
    const requests = [
      ...log(29, [0]).map((request) => ({ ...request, margin: 0.2 })),
      // One of thirty is 3.3 %.
      { scores, right: [0], rightTools: 1, margin: -0.2 },
    ];
    expect(calibrate(requests, { prior: hybridPrior, gate }).gate).toEqual(gate);
  });

  it("holds where one tool is far better than all others, and where the right one is the worst", () => {
    for (const right of [0, 5]) {
      const far = Float32Array.of(40, 0.5, 0.4, 0.3, 0.2, 0.1);
      const requests = log(200, [right]).map((request) => ({ ...request, scores: far }));
      const { prior } = calibrate(requests, { prior: hybridPrior });
      expect([prior.score, prior.gapToBest, ...prior.sizeOffsets].every(Number.isFinite)).toBe(true);
    }
  });

  it("says what changed in the sizes", () => {
    expect(calibrate(log(25, [0, 1, 2]), { prior: hybridPrior }).changes).toEqual([
      expect.stringMatching(
        /^The likeliest sets of 25 requests have 3\.0 tools on average \(before: \d\.\d\); the right ones among the candidates are 3\.0\.$/,
      ),
    ]);
  });

  it("fits the sizes of a long log to four hundred of its requests, chosen evenly, and says so", () => {
    // Every fifth of 2,000: 200 with one right tool and 200 with two, 1.5 on average.
    const long = [...log(1000, [0]), ...log(1000, [0, 1])];
    const { used, changes, prior } = calibrate(long, { prior: hybridPrior });
    expect(used).toBe(400);
    expect(changes[0]).toMatch(/^The likeliest sets of 400 requests, chosen evenly from 2000, .* are 1\.5\.$/);
    expect(prior).toEqual(calibrate([...log(200, [0]), ...log(200, [0, 1])], { prior: hybridPrior }).prior);
    expect(calibrate(log(400, [0]), { prior: hybridPrior }).changes[0]).toMatch(
      /^The likeliest sets of 400 requests have/,
    );
  });

  it("gives the same answer again", () => {
    const [first, second] = [0, 1].map(() => calibrate(log(40, [0, 1]), { prior: hybridPrior }));
    expect(first).toEqual(second);
  });

  it("refuses fewer than twenty requests, of which those count whose right tools are among the candidates", () => {
    expect(() => calibrate(log(19, [0]), { prior: hybridPrior })).toThrow(/at least 20 requests.*of 19 there are 19/);
    const lost = log(10, []).map((request) => ({ ...request, rightTools: 2 }));
    expect(() => calibrate([...log(19, [0]), ...lost], { prior: hybridPrior })).toThrow(/of 29 there are 19/);
  });

  it("refuses requests that are none", () => {
    const one = { scores, right: [0], rightTools: 1 };
    for (const wrong of [
      null,
      { ...one, right: [0, 0, 0], rightTools: 3 },
      { ...one, right: null },
      { ...one, rightTools: Infinity },
      { ...one, scores: [...scores] },
      { ...one, scores: Float32Array.of(0, 1) },
      { ...one, requests: -5 },
      { ...one, requests: Number.NaN },
      { ...one, wordEvidence: -1 },
      { ...one, wordEvidence: Number.NaN },
      { ...one, margin: Number.NaN },
      { ...one, margin: null },
      { scores: Float32Array.of(Number.NaN), right: [0], rightTools: 1 },
      { scores, right: [6], rightTools: 1 },
      { scores, right: [0.5], rightTools: 1 },
      { scores, right: [0, 1], rightTools: 1 },
    ]) {
      expect(() => calibrate([...log(20, [0]), wrong as CalibrationRequest], { prior: hybridPrior })).toThrow(refused);
    }
    expect(() => calibrate(null as never, { prior: hybridPrior })).toThrow(refused);
  });

  it("refuses constants that are none", () => {
    for (const wrong of [
      undefined,
      { prior: {} },
      { prior: { ...hybridPrior, score: Number.NaN } },
      { prior: { ...hybridPrior, sizeSlopes: [] } },
      { prior: hybridPrior, gate: {} },
      { prior: hybridPrior, gate: null },
      { prior: hybridPrior, gate: { ...gate, bias: Number.NaN } },
    ]) {
      expect(() => calibrate(log(20, [0]), wrong as never), JSON.stringify(wrong)).toThrow(refused);
    }
  });
});
