import { hysetMetrics } from "@setwise/testkit";
import { describe, expect, it } from "vitest";
import { averagePrecisionAtK, completenessAtK, ndcgAtK, recallAtK } from "./ranking-metrics.ts";

describe("ranking metrics", () => {
  // The reference counts a repeated tool twice in NDCG; ours counts a tool once (see the next test).
  const cases = hysetMetrics.cases.filter((one) => one.name !== "repeated tool in ranking");
  it.each(cases)("agree with HYSET's own code: $name", (one) => {
    for (const k of [1, 3, 5, 10]) {
      expect(recallAtK(one.ranking, one.gold, k)).toBeCloseTo(one[`R@${k}`] as number, 12);
      expect(ndcgAtK(one.ranking, one.gold, k)).toBeCloseTo(one[`N@${k}`] as number, 12);
      expect(completenessAtK(one.ranking, one.gold, k)).toBe(one[`C@${k}`]);
    }
  });

  it("count a tool that a ranking repeats once, so that no value passes 1", () => {
    expect(ndcgAtK(["a", "a", "b", "x"], ["a", "b"], 3)).toBe(1);
    expect(recallAtK(["a", "a", "b"], ["a", "b"], 2)).toBe(1);
  });

  it("give the recall, completeness and NDCG worked out by hand", () => {
    // Hits at places 2 and 3 of three: gain 1/log2(3) + 1/log2(4) = 0.6309 + 0.5; ideal 1/log2(2) + 1/log2(3) = 1.6309.
    expect(ndcgAtK(["x", "a", "b"], ["a", "b"], 3)).toBeCloseTo(1.13093 / 1.63093, 5);
    // Within the first two, one of two: gain 0.6309, the ideal as before.
    expect(ndcgAtK(["x", "a", "b"], ["a", "b"], 2)).toBeCloseTo(0.63093 / 1.63093, 5);
    expect([2, 3].map((k) => recallAtK(["x", "a", "b"], ["a", "b"], k))).toEqual([0.5, 1]);
    expect([2, 3].map((k) => completenessAtK(["x", "a", "b"], ["a", "b"], k))).toEqual([0, 1]);
  });

  it("give the average precision worked out by hand", () => {
    // Hits at places 1 and 3 of two: (1/1 + 2/3) / 2 = 5/6.
    expect(averagePrecisionAtK(["a", "x", "b"], ["a", "b"], 10)).toBeCloseTo(5 / 6, 12);
    // Only place 1 is within k = 1, and at most k of the gold set can be: 1 / 1.
    expect(averagePrecisionAtK(["a", "x", "b"], ["a", "b"], 1)).toBe(1);
    expect(averagePrecisionAtK(["x", "y"], ["a"], 10)).toBe(0);
  });

  it("are 0 at k = 0 and NaN when there is nothing to find", () => {
    expect([recallAtK(["a"], ["a"], 0), ndcgAtK(["a"], ["a"], 0), averagePrecisionAtK(["a"], ["a"], 0)]).toEqual([
      0, 0, 0,
    ]);
    for (const metric of [recallAtK, ndcgAtK, completenessAtK, averagePrecisionAtK])
      expect(metric(["a"], [], 5)).toBeNaN();
  });
});
