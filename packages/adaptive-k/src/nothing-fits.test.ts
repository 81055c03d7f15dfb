import type { LexicalEvidence } from "@setwise/core";
import { describe, expect, it } from "vitest";
import { chooseK } from "./choose-k.ts";
import { evidenceKind, probabilityByBoth, probabilityNothingFits } from "./nothing-fits.ts";

const evidence = (given: Partial<LexicalEvidence>): LexicalEvidence => ({
  queryCoverage: 0.5,
  nameCoverage: 0.5,
  matchedWords: 2,
  queryWords: 4,
  namesTool: false,
  ...given,
});

describe("probabilityNothingFits", () => {
  it("is almost certain when query and tools share no word", () => {
    // 0.3 · 0.072 / (0.3 · 0.072 + 0.7 · 0.001) = 0.0216 / 0.0223.
    const nothing = probabilityNothingFits(evidence({ matchedWords: 0, queryCoverage: 0, nameCoverage: 0 }));
    expect(nothing).toBeCloseTo(0.0216 / 0.0223, 12);
  });

  it("is Bayes' rule, worked out by hand, for one word that is a small part of the request", () => {
    // 0.3 · 0.186 / (0.3 · 0.186 + 0.7 · 0.017) = 0.0558 / 0.0677.
    const weak = evidence({ matchedWords: 1, queryCoverage: 0.1, nameCoverage: 0.2 });
    expect(probabilityNothingFits(weak)).toBeCloseTo(0.0558 / 0.0677, 12);
    expect(chooseK(Float32Array.of(1, 0.9), { probabilityNothingFits: probabilityNothingFits(weak) }).k).toBe(0);
  });

  it("lets an answer through on two words, on a whole name, and on a word that is most of the request", () => {
    for (const given of [
      { queryCoverage: 0.05 },
      { matchedWords: 1, nameCoverage: 1, queryCoverage: 0.05 },
      { matchedWords: 1, queryCoverage: 1 },
    ]) {
      expect(evidenceKind(evidence(given))).toBe("some");
      expect(probabilityNothingFits(evidence(given))).toBeLessThan(0.5);
    }
  });

  it("takes no weak words as a ground to refuse where a tool is near in meaning", () => {
    const weak = evidence({ matchedWords: 1, queryCoverage: 0.1, nameCoverage: 0.2 });
    expect(evidenceKind(weak, 0.4)).toBe("some");
    expect(evidenceKind(weak, 0.2)).toBe("weak");
    expect(evidenceKind(evidence({ matchedWords: 0 }), 0.2)).toBe("none");
    expect(evidenceKind(evidence({ matchedWords: 0 }), 0.27)).toBe("some");
    expect(evidenceKind(weak, 0.27)).toBe("weak");
    // 0.3 · 0.175 / (0.3 · 0.175 + 0.7 · 0.011) = 0.0525 / 0.0602.
    expect(probabilityNothingFits(weak, 0.2)).toBeCloseTo(0.0525 / 0.0602, 12);
    expect(probabilityNothingFits(weak, 0.4)).toBeLessThan(0.5);
  });

  it("refuses by meaning what is nearer to foreign tools than to these, worked out by hand", () => {
    const gate = { margin: 10, bias: -1 };
    // logit = 10 · 0.3 − 1 = 2, P(nothing) = 1 / (1 + e²).
    expect(probabilityNothingFits(evidence({}), 0.5, { margin: 0.3, gate })).toBeCloseTo(
      Math.max(1 / (1 + Math.exp(2)), (0.3 * 0.76) / (0.3 * 0.76 + 0.7 * 0.987)),
      12,
    );
    // logit = −2.
    const foreign = { margin: -0.1, gate };
    expect(probabilityNothingFits(evidence({}), 0.2, foreign)).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
    // Words that are no ground to keep it are none either way: the surer rule decides.
    expect(probabilityNothingFits(evidence({ matchedWords: 0 }), 0.2, { margin: 0.5, gate })).toBeGreaterThan(0.9);
  });

  it("multiplies the odds of rules and model, and counts the prior that stands in both once, worked out by hand", () => {
    // Prior 0.3. Of no information (0.3 each) nothing follows; 0.5 and 0.6: 0.3 / 0.3 = 1 against 0.2 / 0.7, 1 / (1 + 2 / 7) = 7 / 9.
    expect(probabilityByBoth(0.3, 0.3)).toBeCloseTo(0.3, 12);
    expect(probabilityByBoth(0.5, 0.6)).toBeCloseTo(7 / 9, 12);
    expect(probabilityByBoth(0, 0.9)).toBe(0);
    expect(probabilityByBoth(1, 0.1)).toBe(1);
    expect(probabilityByBoth(0, 1)).toBe(0);
  });

  it("never refuses for its meaning a request that holds the whole name of a tool", () => {
    const foreign = { margin: -0.8, gate: { margin: 10, bias: 0 } };
    expect(probabilityNothingFits(evidence({ namesTool: true }), 0.1, foreign)).toBeLessThan(0.5);
  });
});
