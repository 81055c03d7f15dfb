import { expect, test } from "vitest";
import {
  counterfactualReward,
  decompositionReward,
  duplicateRate,
  groupAdvantages,
  preferencePairs,
  preferenceReward,
} from "./decomposition-rewards.ts";

test("sub-tasks are rewarded for what they find beyond the request as it stands", () => {
  // max(0, .9 − .6) + (1 − 0) = 1.3
  expect(counterfactualReward({ ndcg: 0.9, complete: 1 }, { ndcg: 0.6, complete: 0 })).toBeCloseTo(1.3, 12);
  // A worse order costs nothing, a lost tool does: 2 · max(0, .5 − .6) + 3 · (0 − 1) = −3
  const weights = { ndcgWeight: 2, completeWeight: 3 };
  expect(counterfactualReward({ ndcg: 0.5, complete: 0 }, { ndcg: 0.6, complete: 1 }, weights)).toBe(-3);
});

test("a candidate as good as the reference is worth one half, a better one more", () => {
  expect(preferenceReward(2, 2)).toBe(0.5);
  // σ(ln 3) = 3 / (3 + 1)
  expect(preferenceReward(Math.log(3), 0)).toBeCloseTo(0.75, 12);
});

test("both rewards are weighed and added", () => {
  // .5 · .75 + 2 · 1.3 = 2.975
  expect(decompositionReward(0.75, 1.3, { preferenceWeight: 0.5, counterfactualWeight: 2 })).toBeCloseTo(2.975, 12);
});

test("advantages are standard scores within the group", () => {
  // mean 2, deviation √((1 + 0 + 1) / 3) = √(2/3); ±1 / √(2/3) = ±√1.5
  const [low, middle, high] = groupAdvantages([1, 2, 3]);
  expect(low).toBeCloseTo(-Math.sqrt(1.5), 6);
  expect(middle).toBe(0);
  expect(high).toBeCloseTo(Math.sqrt(1.5), 6);
  expect(groupAdvantages([4, 4])).toEqual([0, 0]);
  expect(groupAdvantages([])).toEqual([]);
});

test("a goal that says an earlier one again is a duplicate", () => {
  expect(duplicateRate(["Find a hotel", "a hotel: find!", "Book it"])).toBeCloseTo(1 / 3, 12);
  expect(duplicateRate([])).toBe(0);
});

test("preference data sets the best candidate against the clearly worse ones", () => {
  const candidates = [
    { goals: ["all of it"], reward: 0.2 },
    { goals: ["find a hotel", "book it"], reward: 1 },
    { goals: ["find", "book"], reward: 0.98 },
  ];
  expect(
    preferencePairs([
      { context: "find and book a hotel", candidates },
      { context: "none", candidates: [] },
    ]),
  ).toEqual([{ prompt: "find and book a hotel", chosen: "find a hotel\nbook it", rejected: "all of it", margin: 0.8 }]);
});
