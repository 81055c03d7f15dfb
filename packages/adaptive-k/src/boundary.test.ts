import { describe, expect, it } from "vitest";
import { boundaryK } from "./boundary.ts";

const f = (...values: number[]): Float32Array => Float32Array.from(values);

describe("boundaryK", () => {
  it("takes the larger of the two boundaries", () => {
    // Score gaps 0.1, 0.6, 0.1: K_score = 2. Similarity gaps 0.1 − …: sims 0.9, 0.8, 0.1 have gaps 0.1 and 0.7: K_sim = 2.
    expect(boundaryK(f(0.9, 0.8, 0.2, 0.1), f(0.9, 0.8, 0.1))).toBe(2);
    // Score gaps 0.7, 0.1, 0.05: K_score = 1; K_sim = 2.
    expect(boundaryK(f(1, 0.3, 0.2, 0.15), f(0.9, 0.8, 0.1))).toBe(2);
  });

  it("uses the scores alone for two tools and without embeddings", () => {
    expect(boundaryK(f(1, 0.5), f(0.2))).toBe(1);
    expect(boundaryK(f(1, 0.9, 0.1), undefined)).toBe(2);
  });

  it("takes the first boundary on ties", () => {
    expect(boundaryK(f(3, 2, 1, 0), f(0.75, 0.5, 0.25))).toBe(1);
  });

  it("keeps all of none and one", () => {
    expect(boundaryK(f(), f())).toBe(0);
    expect(boundaryK(f(0.2), f())).toBe(1);
  });
});
