import fc from "fast-check";
import { expect, test } from "vitest";
import { type RankingRule, rankTools } from "./rank-tools.ts";
import { scoreSets } from "./score-sets.ts";

const rules: readonly RankingRule[] = ["coverage", "match", "marginal-gain", "inclusion", "best-set-first"];

/** Tools 0 and 1 are the likeliest, but only 2 with 3 go together; sets of two alone are possible. */
const pairScores = new Float64Array(16);
pairScores[2 * 4 + 3] = pairScores[3 * 4 + 2] = 4;
const scored = scoreSets({
  ids: Uint32Array.of(0, 1, 2, 3),
  logits: Float64Array.of(2, 1.5, 1, 0.9),
  pairScores,
  sizeOffsets: Float64Array.of(Number.NEGATIVE_INFINITY, 0),
});

test("each rule gives every tool of the pool once", () => {
  for (const rule of rules) expect([...rankTools(scored, rule).ids].sort()).toEqual([0, 1, 2, 3]);
});

test("the match ranks by logit alone, the best set is put before it, greed begins with the first of a size that may be", () => {
  expect([...rankTools(scored, "match").ids]).toEqual([0, 1, 2, 3]);
  expect([...rankTools(scored, "best-set-first").ids]).toEqual([2, 3, 0, 1]);
  expect([...rankTools(scored, "inclusion").ids].slice(0, 2)).toEqual([2, 3]);
});

test("scores fall with the place", () => {
  for (const rule of rules) {
    const { scores } = rankTools(scored, rule);
    expect([...scores]).toEqual([...scores].sort((a, b) => b - a));
  }
});

test("an empty pool has an empty ranking", () => {
  const empty = scoreSets({ ids: new Uint32Array(0), logits: new Float64Array(0) });
  for (const rule of rules) expect(rankTools(empty, rule).ids.length).toBe(0);
});

test("an unknown rule is refused", () => {
  expect(() => rankTools(scored, "luck" as RankingRule)).toThrow('is "luck"');
});

test("of all threes the first three of `coverage` hold the right set whole, and most of it, with the largest value", () => {
  const problem = fc.record({
    logits: fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 6, maxLength: 6 }),
    pairs: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 72, maxLength: 72 }),
  });
  fc.assert(
    fc.property(problem, ({ logits, pairs }) => {
      const pairScores = Float64Array.from(pairs, (_, at) => {
        const [size, a, b] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
        return pairs[size * 36 + Math.min(a, b) * 6 + Math.max(a, b)] ?? 0;
      });
      const ids = Uint32Array.of(0, 1, 2, 3, 4, 5);
      const all = scoreSets({ ids, logits: Float64Array.from(logits), pairScores }, { count: 41 });
      const worth = (tools: ReadonlySet<number>): number =>
        all.best.reduce((sum, set) => sum + ([...set.ids].every((id) => tools.has(id)) ? set.probability : 0), 0) +
        (0.5 / all.expectedSize) * [...tools].reduce((sum, tool) => sum + (all.inclusion[tool] ?? 0), 0);
      const chosen = worth(new Set(rankTools(all).ids.subarray(0, 3)));
      for (let a = 0; a < 6; a++) {
        for (let b = a + 1; b < 6; b++) {
          for (let c = b + 1; c < 6; c++) expect(worth(new Set([a, b, c]))).toBeLessThanOrEqual(chosen + 1e-9);
        }
      }
    }),
    { numRuns: 30 },
  );
});
