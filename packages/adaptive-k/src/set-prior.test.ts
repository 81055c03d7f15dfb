import { describe, expect, it } from "vitest";
import { chooseK } from "./choose-k.ts";
import { isPrior, lexicalPrior, minilmPrior, priorLogits, type SetPrior } from "./set-prior.ts";

const scores = Float32Array.of(1, 0.5);
const sizes = { sizeOffsets: [0, 0, 0, 0, 0], sizeSlopes: [0, 0, 0, 0, 0] };

describe("a prior by words", () => {
  const prior: SetPrior = { score: 1, gapToBest: 0, evidence: 2, ...sizes };

  it("takes scores for more where the words say more", () => {
    // ln(2e / 2) = 1: 1·s + 2·s·1 = 3s.
    expect([...priorLogits(prior, scores, 2 * Math.E)]).toEqual([3, 1.5]);
    // The usual evidence, 2, is that of a caller who says nothing.
    expect([...priorLogits(prior, scores)]).toEqual([1, 0.5]);
  });

  it("bounds what words say, of a tool called by its name and of one that shares no word", () => {
    // 1 + 2·ln(10 / 2) = 4.2189, 1 + 2·ln(0.5 / 2) = −1.7726.
    expect(priorLogits(prior, scores, Infinity)[0]).toBeCloseTo(4.2189, 4);
    expect(priorLogits(prior, scores, 0)[0]).toBeCloseTo(-1.7726, 4);
  });

  it("makes a set the surer, the more the words say", () => {
    const probability = (wordEvidence: number): number =>
      chooseK(Float32Array.of(1, 0.4, 0.3), { prior: lexicalPrior, wordEvidence }).inclusion[0] ?? 0;
    expect(probability(8)).toBeGreaterThan(probability(1));
  });
});

it("a prior for scores with meaning heeds no evidence of words", () => {
  expect(priorLogits(minilmPrior, scores, 9)).toEqual(priorLogits(minilmPrior, scores));
});

it("a prior is none where its evidence is no number", () => {
  expect(isPrior({ score: 1, gapToBest: 0, ...sizes })).toBe(true);
  expect(isPrior({ score: 1, gapToBest: 0, evidence: Number.NaN, ...sizes })).toBe(false);
});

it("evidence that is none is refused with a message that says what came", () => {
  for (const wordEvidence of [-1, Number.NaN]) {
    expect(() => chooseK(scores, { wordEvidence })).toThrow(
      `wordEvidence must be at least 0, but it is ${wordEvidence}`,
    );
  }
});
