import { describe, expect, test } from "vitest";
import { scoreSets } from "./score-sets.ts";

const ids = Uint32Array.of(7, 3, 9);
// e^l is 2, 4 and 1.
const logits = Float64Array.of(Math.log(2), Math.log(4), 0);

describe("without pairs and offsets", () => {
  test("tools are independent, given that there is one: Z + 1 is the product of 1 + e^l", () => {
    const scored = scoreSets({ ids, logits });
    // 3 · 5 · 2 − 1 = 29, and without the first tool 5 · 2 − 1 = 9.
    expect(scored.logZ).toBeCloseTo(Math.log(29), 12);
    expect([...scored.pool]).toEqual([3, 7, 9]);
    expect(scored.inclusion[1]).toBeCloseTo(1 - 9 / 29, 12);
    expect(scored.probabilityNothingFits).toBe(0);
  });

  test("the best sets come with their probabilities, smaller ones first where scores are equal", () => {
    const { best } = scoreSets({ ids, logits }, { count: 2 });
    expect(best.map((set) => [...set.ids])).toEqual([
      [3, 7],
      [3, 7, 9],
    ]);
    expect(best[0]?.probability).toBeCloseTo(8 / 29, 12);
  });

  test("the empty set takes part where it has a score", () => {
    const scored = scoreSets({ ids, logits, emptyScore: 0 });
    expect(scored.probabilityNothingFits).toBeCloseTo(1 / 30, 12);
    // Σ e^l / (1 + e^l) = 2/3 + 4/5 + 1/2.
    expect(scored.expectedSize).toBeCloseTo(2 / 3 + 4 / 5 + 1 / 2, 12);
  });
});

test("pairs join tools, and offsets make sizes likelier, also where candidates come in another order", () => {
  // Tool 7 with tool 9 in sets of two.
  const pairScores = Float64Array.of(0, 0, 5, 0, 0, 0, 5, 0, 0);
  const scored = scoreSets({ ids, logits, pairScores, sizeOffsets: Float64Array.of(0, 1) }, { count: 1 });
  expect([...(scored.best[0]?.ids ?? [])]).toEqual([7, 9]);
  expect(scored.best[0]?.score).toBeCloseTo(Math.log(2) + 5 + 1, 12);
});

test("only the candidates of the largest logits are looked at, and required ones besides", () => {
  const { pool } = scoreSets({ ids, logits }, { pool: 1, require: Uint32Array.of(9) });
  expect([...pool]).toEqual([3, 9]);
});

test("constraints hold in all sets and in all probabilities", () => {
  const scored = scoreSets(
    { ids, logits },
    {
      exclude: Uint32Array.of(9),
      atMostOne: [Uint32Array.of(3, 7)],
      tokens: Uint32Array.of(10, 20, 5),
      maxTokens: 15,
    },
  );
  expect(scored.best.map((set) => [...set.ids])).toEqual([[7]]);
  expect([...scored.inclusion]).toEqual([0, 1]);
});

test("what cannot be kept together leaves no set and no probability", () => {
  const options = { require: Uint32Array.of(3, 7), atMostOne: [Uint32Array.of(3, 7)] };
  const scored = scoreSets({ ids, logits }, options);
  expect(scored.best).toEqual([]);
  expect([...scored.inclusion]).toEqual([0, 0, 0]);
  expect(scored.expectedSize).toBe(0);
});

test("no candidate at all is an ordinary outcome", () => {
  const nothing = { ids: new Uint32Array(0), logits: new Float64Array(0) };
  expect(scoreSets(nothing).best).toEqual([]);
  expect(scoreSets({ ...nothing, emptyScore: -3 }).probabilityNothingFits).toBe(1);
});

test("the alignment of the paper weighs logits by their softmax", () => {
  const { best } = scoreSets({ ids, logits }, { alignment: "softmax", count: 1, require: ids });
  // (2 ln 2 + 4 ln 4 + 0) / 7.
  expect(best[0]?.score).toBeCloseTo((10 * Math.LN2) / 7, 12);
});

describe("refused are", () => {
  test.each([
    [{ ids, logits: Float64Array.of(1) }, {}, "same length"],
    [{ ids: Uint32Array.of(1, 1), logits: Float64Array.of(1, 2) }, {}, "distinct"],
    [{ ids, logits: Float64Array.of(1, Number.NaN, 2) }, {}, "finite"],
    [{ ids, logits, pairScores: new Float64Array(4) }, {}, "largest set"],
    [{ ids, logits, sizeOffsets: new Float64Array(3), pairScores: new Float64Array(9) }, {}, "pairScores"],
    [{ ids, logits }, { pool: -1 }, "pool"],
    [{ ids, logits }, { maxTokens: 3 }, "tokens"],
    [{ ids, logits }, { require: Uint32Array.of(4) }, "no candidate"],
    [{ ids, logits }, { maxTokens: 3, tokens: [Number.NaN, 1, 1] as unknown as Uint32Array }, "tokens"],
    [{ ids, logits }, { maxTokens: 3, tokens: Float64Array.of(-5, 9, 9) as unknown as Uint32Array }, "tokens"],
    [{ ids, logits }, { maxTokens: Number.NaN, tokens: Uint32Array.of(1, 1, 1) }, "maxTokens"],
    [{ ids, logits }, { maxTokens: -1, tokens: Uint32Array.of(1, 1, 1) }, "maxTokens"],
  ])("%o with %o", (candidates, options, message) => {
    expect(() => scoreSets(candidates, options)).toThrow(message);
  });

  test.each([null, undefined, "candidates"])("%o for candidates, and null for options", (candidates) => {
    expect(() => scoreSets(candidates as never)).toThrow("an object of ids and logits");
    expect(() => scoreSets({ ids, logits }, null as never)).toThrow("options must be an object");
  });

  test("a tool both required and excluded", () => {
    const one = Uint32Array.of(3);
    expect(() => scoreSets({ ids, logits }, { require: one, exclude: one })).toThrow("both required and excluded");
  });
});

test("without anything learned, tools that say the same keep each other out of a set", () => {
  // Tools 0 and 1 say the same (cosine 0.9), tool 2 something else; −2 · cosine for sets of two.
  const pairScores = Float64Array.of(0, -1.8, -0.2, -1.8, 0, -0.2, -0.2, -0.2, 0);
  const alike = {
    ids: Uint32Array.of(0, 1, 2),
    logits: Float64Array.of(2, 1.9, 1),
    sizeOffsets: Float64Array.of(-9, 0),
  };
  expect([...(scoreSets(alike).best[0]?.ids ?? [])]).toEqual([0, 1]);
  // 2 + 1 − 0.2 = 2.8 is more than 2 + 1.9 − 1.8 = 2.1.
  expect([...(scoreSets({ ...alike, pairScores }).best[0]?.ids ?? [])]).toEqual([0, 2]);
});
