import fc from "fast-check";
import { expect, test } from "vitest";
import { hyperedgeCases, scoreOf } from "../test/hyperedge-cases.ts";
import scoreFixture from "../test/fixtures/hyset/score.json" with { type: "json" };
import { type FixtureModel, fixtureProblem } from "../test/hyperedge-cases.ts";
import { enumerateHyperedges } from "./enumerate-hyperedges.ts";
import { openKernels } from "./open-kernels.ts";
import { scoreHyperedge } from "./score-hyperedge.ts";

test("a score splits into members, pairs and the size's offset", () => {
  // l = ln 1 and ln 3 have weights ¼ and ¾; the pair scores 2, the size ½.
  const options = { maxSize: 2, alignment: "softmax", sizeOffsets: Float64Array.of(0, 0.5) } as const;
  const split = scoreHyperedge(
    Float64Array.of(0, Math.log(3)),
    Float64Array.of(0, 2, 2, 0),
    Uint32Array.of(1, 0),
    options,
  );
  expect([...split.alignment]).toEqual([expect.closeTo(0.75 * Math.log(3), 14), 0]);
  expect([...split.pairs]).toEqual([2]);
  expect(split.offset).toBe(0.5);
  expect(split.score).toBeCloseTo(0.75 * Math.log(3) + 2.5, 14);
});

test("parts add up to the score, which is that of the search to the last bit", () => {
  const kernels = openKernels("typescript");
  fc.assert(
    fc.property(hyperedgeCases(7), ({ logits, pairScores, options }) => {
      const { maxSize, alignment } = options;
      const found = enumerateHyperedges(logits, pairScores, { maxSize, alignment: alignment!, count: 9, kernels });
      for (let set = 0; set < found.count; set += 1) {
        const members = found.members.slice(found.offsets[set], found.offsets[set + 1]);
        const split = scoreHyperedge(logits, pairScores, members, { maxSize, alignment: alignment! });
        expect(split.score).toBe(found.scores[set]);
        const parts = [...split.alignment, ...split.pairs, split.offset];
        expect(Math.abs(parts.reduce((sum, part) => sum + part, 0) - split.score)).toBeLessThanOrEqual(1e-9);
      }
    }),
    { numRuns: 200 },
  );
});

test("agrees with the authors' code, pair by pair", () => {
  for (const { E, F, F_align, alpha, logits: all, ...model } of scoreFixture.cases) {
    const pool = Array.from({ length: model.N }, (_, i) => i);
    const { logits, pairScores } = fixtureProblem(model as unknown as FixtureModel, pool);
    const split = scoreHyperedge(logits, pairScores, Uint32Array.from(E), { alignment: "softmax" });
    const near = (actual: number, expected: number): void =>
      expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-10 * Math.max(1, Math.abs(expected)));
    near(split.score, F);
    near(
      split.alignment.reduce((sum, part) => sum + part, 0),
      F_align,
    );
    for (const [i, part] of split.alignment.entries()) near(part, alpha[i]! * all[E[i]!]!);
  }
});

test("pairs alone decide nothing of order three where all sizes score pairs alike, and only there (HYSET, Theorem 1)", () => {
  fc.assert(
    fc.property(hyperedgeCases(5), fc.boolean(), (random, alike) => {
      const pool = random.logits.length;
      fc.pre(random.options.maxSize >= 3 && pool >= 3);
      const pairScores = random.pairScores.slice();
      if (alike) pairScores.copyWithin(pool * pool, 0, pool * pool);
      const pairsOnly = { logits: new Float64Array(pool), pairScores, options: { maxSize: random.options.maxSize } };
      const f = (...set: number[]): number => scoreOf(pairsOnly, set);
      let [coefficients, differences] = [0, 0];
      for (let a = 0; a < pool; a += 1) {
        for (let b = a + 1; b < pool; b += 1) {
          for (let c = b + 1; c < pool; c += 1) {
            coefficients = Math.max(coefficients, Math.abs(f(a, b, c) - f(a, b) - f(a, c) - f(b, c)));
            const difference = (x: number, y: number): number =>
              pairScores[(pool + x) * pool + y]! - pairScores[x * pool + y]!;
            differences = Math.max(differences, Math.abs(difference(a, b) + difference(a, c) + difference(b, c)));
          }
        }
      }
      if (alike) expect(coefficients).toBeLessThanOrEqual(1e-9);
      expect(Math.abs(coefficients - differences)).toBeLessThanOrEqual(1e-9);
    }),
    { numRuns: 200 },
  );
});
