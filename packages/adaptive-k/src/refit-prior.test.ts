import { expect, it } from "vitest";
import { chooseK } from "./choose-k.ts";
import { refitPrior, type SizedRequest } from "./refit-prior.ts";
import { hybridPrior, lexicalPrior } from "./set-prior.ts";

/** Requests of which each has another of the candidates as its right tool. */
const uniform = (count: number, scores: Float32Array): SizedRequest[] =>
  Array.from({ length: count }, (_, at) => ({ scores, right: [at % scores.length], requests: 1 }));

it("holds for thousands of requests whose scores say nothing, and for such as say the wrong thing", () => {
  for (const scores of [new Float32Array(20).fill(1), Float32Array.from({ length: 20 }, (_, at) => 40 - 2 * at)]) {
    const { score, gapToBest, sizeOffsets } = refitPrior(hybridPrior, uniform(5000, scores));
    expect([score, gapToBest, ...sizeOffsets].every(Number.isFinite)).toBe(true);
  }
}, 30_000);

it("gives sizes the shares that thousands of requests have", () => {
  // Where the slope by δ_m is 0, P(|E| = m) is the share of m less 2 · 0.1 · δ_m / 6000: a third have one right tool, two thirds two.
  const scores = Float32Array.of(1, 0.8, 0.6, 0.5, 0.4, 0.3);
  const log = Array.from({ length: 6000 }, (_, at) => ({ scores, right: at % 3 === 0 ? [0] : [0, 1], requests: 1 }));
  const { sizes } = chooseK(scores, { prior: refitPrior(hybridPrior, log) });
  expect(sizes[1]).toBeCloseTo(1 / 3, 3);
  expect(sizes[2]).toBeCloseTo(2 / 3, 3);
}, 30_000);

it("keeps what evidence is worth beside a score, and gives a prior without it none", () => {
  const scores = Float32Array.of(1, 0.8, 0.6, 0.5);
  const log = uniform(60, scores).map((request) => ({ ...request, wordEvidence: 4 }));
  const { score, evidence = 0 } = refitPrior(lexicalPrior, log);
  // One factor of all logits.
  expect(evidence / score).toBeCloseTo((lexicalPrior.evidence ?? 0) / lexicalPrior.score, 10);
  expect(score).not.toBeCloseTo(lexicalPrior.score, 3);
  expect(refitPrior(hybridPrior, log)).not.toHaveProperty("evidence");
});
