import type { CutPolicy } from "@setwise/core";
import { describe, expect, it } from "vitest";
import { chooseK } from "./choose-k.ts";
import {
  boundaryPolicy,
  budgetPolicy,
  distributionPolicy,
  fixedPolicy,
  gapPolicy,
  thresholdPolicy,
} from "./cut-policies.ts";

const scores = Float32Array.of(1, 0.9, 0.5, 0.4, 0.1);
const tokens = Uint32Array.of(10, 20, 30, 40, 50);
const refused = expect.objectContaining({ code: "invalid-argument" });

describe("cut policies", () => {
  it("keep what their rule says, and say why", () => {
    const cuts: readonly (readonly [CutPolicy, number, RegExp])[] = [
      // Drops 0.1, 0.4, 0.1, 0.3: the largest comes after the second.
      [gapPolicy, 2, /largest drop of scores comes after 2/],
      [boundaryPolicy(), 2, /largest drop of scores comes after 2/],
      // Similarity drops 0.1, 0.1, 0.5: after the third, which is later.
      [boundaryPolicy(Float32Array.of(0.9, 0.8, 0.7, 0.2)), 3, /scores or similarities comes after 3/],
      [thresholdPolicy(0.45), 3, /3 of 5 scores are at least 0.45/],
      [budgetPolicy(tokens, 60), 3, /first 3 fit into 60 tokens/],
      [fixedPolicy(4), 4, /4 were asked for/],
      [fixedPolicy(9), 5, /9 were asked for/],
    ];
    for (const [policy, k, reason] of cuts) {
      expect(policy.cut(scores), policy.name).toMatchObject({ k, reason: expect.stringMatching(reason) });
      expect(chooseK(scores, { policy })).toMatchObject({ k, coreSize: k });
    }
  });

  it("of the distribution are what chooseK does by itself", () => {
    for (const goal of ["complete", "balanced", "exact"] as const)
      expect(distributionPolicy({ goal }).cut(scores)).toEqual(chooseK(scores, { goal }));
  });

  it("keep one of one and none of none", () => {
    for (const policy of [gapPolicy, boundaryPolicy(), fixedPolicy(2), thresholdPolicy(0), distributionPolicy()]) {
      expect(policy.cut(Float32Array.of(0.5)).k, policy.name).toBe(1);
      expect(policy.cut(new Float32Array(0)).k, policy.name).toBe(0);
    }
    expect(budgetPolicy(tokens, 5).cut(scores).k).toBe(0);
  });

  it("cut at one place where all scores are equal", () => {
    const equal = new Float32Array(5).fill(2);
    expect(gapPolicy.cut(equal).k).toBe(1);
    expect(thresholdPolicy(2).cut(equal).k).toBe(5);
  });

  it("still obey the limits and the refusal of chooseK", () => {
    expect(chooseK(scores, { policy: fixedPolicy(4), maxK: 2 }).k).toBe(2);
    expect(chooseK(scores, { policy: fixedPolicy(4), probabilityNothingFits: 0.95 }).k).toBe(0);
    expect(chooseK(scores, { policy: fixedPolicy(4), tokens, maxTokens: 35 }).k).toBe(2);
  });

  it("refuse numbers that are none, negative budgets, and columns of another length", () => {
    expect(() => thresholdPolicy(Number.NaN)).toThrow(refused);
    expect(() => fixedPolicy(-1)).toThrow(refused);
    expect(() => fixedPolicy(1.5)).toThrow(refused);
    expect(() => budgetPolicy(tokens, -1)).toThrow(refused);
    expect(() => budgetPolicy(Uint32Array.of(1), 10).cut(scores)).toThrow(refused);
    expect(() => boundaryPolicy(Float32Array.of(Number.NaN))).toThrow(refused);
    expect(() => boundaryPolicy(Float32Array.of(0.5)).cut(scores)).toThrow(refused);
  });
});
