import { hysetMetrics } from "@setwise/testkit";
import { describe, expect, it } from "vitest";
import { setMetrics } from "./set-metrics.ts";

describe("setMetrics", () => {
  it("compares a partly right set", () => {
    // Selected a, b, x; gold a, b, c, d: two shared. P = 2/3, R = 2/4, F1 = 4/7.
    expect(setMetrics(["a", "b", "x"], ["a", "b", "c", "d"])).toEqual({
      precision: 2 / 3,
      recall: 0.5,
      f1: 4 / 7,
      exactMatch: 0,
      complete: 0,
    });
  });

  it("calls a superset complete but not exact", () => {
    expect(setMetrics(["a", "b", "x"], ["a", "b"])).toMatchObject({ exactMatch: 0, complete: 1, recall: 1 });
    expect(setMetrics(["b", "a", "a"], ["a", "b"])).toMatchObject({ exactMatch: 1, complete: 1, f1: 1 });
  });

  it("rewards selecting nothing exactly when nothing fits", () => {
    expect(setMetrics([], [])).toEqual({ precision: 1, recall: 1, f1: 1, exactMatch: 1, complete: 1 });
    expect(setMetrics(["a"], [])).toEqual({ precision: 0, recall: 1, f1: 0, exactMatch: 0, complete: 1 });
    expect(setMetrics([], ["a"])).toEqual({ precision: 0, recall: 0, f1: 0, exactMatch: 0, complete: 0 });
  });

  it.each(hysetMetrics.sets)("agrees with HYSET's exact match: $predicted against $gold", (one) => {
    expect(setMetrics(one.predicted, one.gold).exactMatch).toBe(one.exact);
  });
});
