import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  enumerateHyperedges,
  type EnumerateHyperedgesOptions,
  KernelError,
  type Kernels,
  openKernels,
} from "../src/index.ts";
import { checkHyperedgeRequest } from "../src/hyperedge-request.ts";
import { BestSets } from "../src/typescript/hyperedge/best-sets.ts";
import { searchByBounds } from "../src/typescript/hyperedge/branch-and-bound.ts";
import { enumerateSets } from "../src/typescript/hyperedge/enumerate.ts";
import { createProblem, fillProblem, type Problem } from "../src/typescript/hyperedge/problem.ts";
import argmaxFixture from "./fixtures/hyset/argmax.json" with { type: "json" };
import scoreFixture from "./fixtures/hyset/score.json" with { type: "json" };
import { type FixtureModel, fixtureProblem, hyperedgeCases, scoreOf } from "./hyperedge-cases.ts";

/** What every implementation of the search over sets must do. */
export function hyperedgeContract(kernels: Kernels): void {
  const find = (logits: readonly number[], pairs: readonly number[], options: EnumerateHyperedgesOptions = {}) => {
    const found = enumerateHyperedges(Float64Array.from(logits), Float64Array.from(pairs), { ...options, kernels });
    const sets = Array.from({ length: found.count }, (_, i) =>
      Array.from(found.members.subarray(found.offsets[i], found.offsets[i + 1])),
    );
    return { sets, scores: [...found.scores], distribution: found.distribution };
  };
  const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

  test("sets come by score, then size, then members", () => {
    // Logits 1, 0, 1 and a pair score of 1 between 0 and 1.
    const pairs = [0, 1, 0, 1, 0, 0, 0, 0, 0];
    expect(find([1, 0, 1], pairs, { maxSize: 2, count: 9 })).toMatchObject({
      sets: [[0, 1], [0, 2], [0], [2], [1, 2], [1]],
      scores: [2, 2, 1, 1, 1, 0],
    });
  });

  test("the softmax alignment is the members' mean, weighted by their softmax, also far below the pool's best", () => {
    const { sets, scores } = find([-800, 0, -800], zeros(9), { maxSize: 2, count: 9, alignment: "softmax" });
    expect(scores[sets.findIndex((set) => set.join() === "0,2")]).toBe(-800);
    // l = ln 1 and ln 3: weights ¼ and ¾.
    const mean = find([0, Math.log(3)], zeros(4), { maxSize: 2, alignment: "softmax", require: Uint32Array.of(0, 1) });
    expect(mean.scores[0]).toBeCloseTo(0.75 * Math.log(3), 14);
  });

  test("size offsets and the empty set's score count", () => {
    const sizeOffsets = Float64Array.of(-3, 1);
    const { sets, scores } = find([1, 2], zeros(4), { maxSize: 2, sizeOffsets, emptyScore: -1.5, count: 9 });
    expect({ sets, scores }).toEqual({ sets: [[0, 1], [1], [], [0]], scores: [4, -1, -1.5, -2] });
    const forbidden = Float64Array.of(0, Number.NEGATIVE_INFINITY);
    expect(find([1, 2], zeros(4), { maxSize: 2, sizeOffsets: forbidden, count: 9 }).sets).toEqual([[1], [0]]);
  });

  test("zeros of either sign are added up alike", () => {
    const negative = (length: number) => new Float64Array(length).fill(-0);
    const signs = (alignment: "sum" | "softmax", used: Kernels) =>
      enumerateHyperedges(negative(4), negative(64), {
        alignment,
        sizeOffsets: negative(5),
        emptyScore: -0,
        count: 99,
        kernels: used,
      }).scores.map((score) => 1 / score);
    // A sum begins with 0 where it is of more numbers than two: S1 for softmax, the pairs of the members before the last two.
    const [ones, pairs, more] = [
      [5, -Infinity],
      [6, -Infinity],
      [5, Infinity],
    ] as const;
    const filled = (parts: readonly (readonly [number, number])[]) =>
      parts.flatMap(([length, value]) => Array.from({ length }, () => value));
    expect([...signs("sum", kernels)]).toEqual(filled([ones, pairs, more]));
    expect([...signs("softmax", kernels)]).toEqual(filled([ones, [6, Infinity], more]));
  });

  describe("constraints", () => {
    const best = (options: EnumerateHyperedgesOptions): number[] | undefined =>
      find([3, 2, 1, 4], zeros(32), { maxSize: 3, ...options }).sets[0];

    test("leave only the sets that keep to them", () => {
      expect(best({})).toEqual([0, 1, 3]);
      expect(best({ exclude: Uint32Array.of(0) })).toEqual([1, 2, 3]);
      expect(best({ require: Uint32Array.of(2), maxTools: 2 })).toEqual([2, 3]);
      expect(best({ groups: [Uint32Array.of(0, 3), Uint32Array.of(1, 3)] })).toEqual([0, 1, 2]);
      expect(best({ tokens: Uint32Array.of(1, 1, 1, 9), maxTokens: 2.5 })).toEqual([0, 1]);
    });

    test("that cannot be kept together leave none", () => {
      expect(best({ require: Uint32Array.of(1), exclude: Uint32Array.of(1) })).toBeUndefined();
      expect(best({ require: Uint32Array.of(0, 1), maxTools: 1 })).toBeUndefined();
      expect(best({ require: Uint32Array.of(0, 3), groups: [Uint32Array.of(0, 3)] })).toBeUndefined();
      expect(best({ tokens: Uint32Array.of(5, 5, 5, 5), maxTokens: 4 })).toBeUndefined();
      expect(best({ maxTools: 0 })).toBeUndefined();
    });
  });

  test("an empty pool and a count of 0 have no sets, and a count beyond all sets gives all", () => {
    expect(find([], []).sets).toEqual([]);
    expect(find([], [], { emptyScore: 1 }).sets).toEqual([[]]);
    expect(find([1], zeros(4), { count: 0 }).sets).toEqual([]);
    expect(find([1, 2, 3], zeros(36), { count: 99 }).sets).toHaveLength(7);
  });

  describe("the distribution", () => {
    test("of two candidates is worked out by hand", () => {
      // e^F: {} 1, {0} 2, {1} 3, {0, 1} 2 · 3 · 4 = 24; Z = 30.
      const [logits, pairs] = [
        [Math.log(2), Math.log(3)],
        [0, Math.log(4), 0, 0],
      ];
      const { distribution } = find(logits, pairs, { maxSize: 2, emptyScore: 0, distribution: true });
      expect(distribution!.logPartition).toBeCloseTo(Math.log(30), 14);
      expect([...distribution!.inclusion].map((p) => p * 30)).toEqual([26, 27].map((x) => expect.closeTo(x, 12)));
      expect([...distribution!.sizes].map((p) => p * 30)).toEqual([1, 5, 24].map((x) => expect.closeTo(x, 12)));
    });

    test("agrees with all sets, added up", () => {
      fc.assert(
        fc.property(hyperedgeCases(8), ({ logits, pairScores, options }) => {
          const used = { ...options, distribution: true, count: 400, kernels };
          const { count, scores, offsets, members, distribution } = enumerateHyperedges(logits, pairScores, used);
          const { logPartition, inclusion, sizes } = distribution!;
          if (count === 0) {
            expect([logPartition, ...inclusion, ...sizes].every((x) => x === 0 || x === -Infinity)).toBe(true);
            return;
          }
          const weights = scores.map((score) => Math.exp(score - scores[0]!));
          const z = weights.reduce((sum, weight) => sum + weight, 0);
          expect(logPartition - scores[0]!).toBeCloseTo(Math.log(z), 10);
          const expected = { inclusion: new Float64Array(logits.length), sizes: new Float64Array(options.maxSize + 1) };
          for (let set = 0; set < count; set += 1) {
            const own = members.subarray(offsets[set], offsets[set + 1]);
            for (const member of own) expected.inclusion[member]! += weights[set]! / z;
            expected.sizes[own.length]! += weights[set]! / z;
          }
          for (const [i, p] of expected.inclusion.entries()) expect(inclusion[i]).toBeCloseTo(p, 10);
          for (const [i, p] of expected.sizes.entries()) expect(sizes[i]).toBeCloseTo(p, 10);
        }),
        { numRuns: 200 },
      );
    });

    test("of more sets than can be weighed is refused, but for sets of two", () => {
      const weigh = (pool: number, maxSize: number, options: EnumerateHyperedgesOptions = {}) => {
        const [logits, pairScores] = [new Float64Array(pool), new Float64Array((maxSize - 1) * pool * pool)];
        return enumerateHyperedges(logits, pairScores, { ...options, maxSize, distribution: true, kernels });
      };
      const tooLarge = (pool: number): object => ({
        code: "too-large",
        message: `distribution: ${pool} candidates have too many sets to weigh them all; give a smaller pool or M.`,
      });
      expect(errorOf(() => weigh(513, 3))).toMatchObject(tooLarge(513));
      // C(260, 5) is 9.5 thousand million, C(270, 5) 11.5.
      expect(errorOf(() => weigh(270, 5))).toMatchObject(tooLarge(270));
      // Everything ties: 513 + 513 · 512 / 2 sets.
      expect(weigh(513, 2).distribution!.logPartition).toBeCloseTo(Math.log(131_841), 9);
      // What is left out does not count, nor does what cannot be kept together.
      const exclude = Uint32Array.from({ length: 510 }, (_, i) => i);
      expect(weigh(513, 3, { exclude }).distribution!.logPartition).toBeCloseTo(Math.log(7), 12);
      const impossible = weigh(513, 3, { require: Uint32Array.of(0), exclude: Uint32Array.of(0) });
      expect(impossible.distribution!.logPartition).toBe(-Infinity);
      expect(impossible.count).toBe(0);
    });

    test("is nothing where no set may be answered", () => {
      const { distribution } = find([1, 2], zeros(16), { distribution: true, maxTools: 0 });
      expect(distribution).toEqual({
        logPartition: Number.NEGATIVE_INFINITY,
        inclusion: new Float64Array(2),
        sizes: new Float64Array(6),
      });
    });
  });

  describe("agrees with the authors' code", () => {
    const near = (actual: number, expected: number): void =>
      expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-10 * Math.max(1, Math.abs(expected)));

    test("in the best sets", () => {
      for (const { pool, best, best_score, ...model } of argmaxFixture.cases) {
        const { logits, pairScores } = fixtureProblem(model as unknown as FixtureModel, pool);
        const { sets, scores } = find([...logits], [...pairScores], { alignment: "softmax" });
        expect(sets[0]!.map((position) => pool[position]!).toSorted((a, b) => a - b)).toEqual(
          best.toSorted((a, b) => a - b),
        );
        near(scores[0]!, best_score);
      }
    });

    test("in the scores of sets", () => {
      for (const { E, F, ...model } of scoreFixture.cases) {
        const pool = Array.from({ length: model.N }, (_, i) => i);
        const { logits, pairScores } = fixtureProblem(model as unknown as FixtureModel, pool);
        const require = Uint32Array.from(E);
        const found = find([...logits], [...pairScores], { alignment: "softmax", require, maxTools: E.length });
        expect(found.sets[0]).toEqual(E.toSorted((a, b) => a - b));
        near(found.scores[0]!, F);
      }
    });
  });

  test("answers are those of the definition", () => {
    fc.assert(
      fc.property(hyperedgeCases(), (random) => {
        const { logits, pairScores, options } = random;
        const { count, scores, offsets, members } = enumerateHyperedges(logits, pairScores, {
          ...options,
          count: 5,
          kernels,
        });
        for (let set = 0; set < count; set += 1) {
          const own = [...members.subarray(offsets[set], offsets[set + 1])];
          const expected = own.length === 0 ? options.emptyScore! : scoreOf(random, own);
          expect(Math.abs(scores[set]! - expected)).toBeLessThanOrEqual(1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });

  const isTypescript = kernels.implementation === "typescript";

  test.skipIf(isTypescript)("gives the bits that TypeScript gives, with and without the distribution", () => {
    fc.assert(
      fc.property(
        hyperedgeCases(13),
        fc.nat(12),
        fc.boolean(),
        ({ logits, pairScores, options }, count, distribution) => {
          const [left, right] = [kernels, openKernels("typescript")].map((used) => {
            const found = enumerateHyperedges(logits, pairScores, { ...options, count, distribution, kernels: used });
            const { logPartition, inclusion = [], sizes = [] } = found.distribution ?? {};
            return [...found.scores, ...found.members, ...found.offsets, logPartition, ...inclusion, ...sizes].map(
              String,
            );
          });
          expect(left).toEqual(right);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("large pools have the same answer by bounds as by enumeration", () => {
    for (const alignment of ["sum", "softmax"] as const) {
      const { logits, pairScores, best } = largeCase(alignment);
      const { count, scores, offsets, members } = enumerateHyperedges(logits, pairScores, {
        count: 10,
        alignment,
        kernels,
      });
      const sets = Array.from({ length: count }, (_, i) => ({
        score: scores[i],
        members: [...members.subarray(offsets[i], offsets[i + 1])],
      }));
      expect(sets).toEqual(best);
    }
  });

  test.runIf(isTypescript)("large pools are left to bounds, which find all in a few steps", () => {
    for (const alignment of ["sum", "softmax"] as const) {
      const { problem, best } = largeCase(alignment);
      const found = new BestSets();
      found.restart(10);
      // Far fewer than the 46 million sets.
      expect(searchByBounds(problem, found, 10, 500_000)).toBe(true);
      expect(listOf(found)).toEqual(best);
    }
  });

  test("pools of more sets than can be looked at are refused where bounds do not tell them apart, and the call ends", () => {
    const ask = (logits: Float64Array) => () =>
      enumerateHyperedges(logits, new Float64Array(2 * 1024 * 1024), { maxSize: 3, kernels });
    // Everything ties: 1,024 + 523,776 + 178,433,024 sets.
    expect(errorOf(ask(new Float64Array(1024)))).toMatchObject({
      code: "too-large",
      message:
        "pairScores: the scores are so alike that 1.8e8 sets would have to be looked at one by one; give a smaller pool or maxSize.",
    });
    const apart = Float64Array.from({ length: 1024 }, (_, i) => i);
    expect([...ask(apart)().members]).toEqual([1021, 1022, 1023]);
  }, 60_000);

  test("refusals name the argument", () => {
    const refused = (call: () => unknown, message: RegExp): void => {
      expect(call).toThrow(message);
      expect(call).toThrow(KernelError);
    };
    refused(() => find([1, 2], zeros(15)), /^pairScores: expected a length of \(5 − 1\) × 2 × 2/);
    refused(
      () => find([1, Number.NaN], zeros(16)),
      /^logits: expected numbers from -1e100 to 1e100, got NaN at position 1/,
    );
    refused(
      () => find([1, 2], [0, Infinity, ...zeros(14)]),
      /^pairScores: expected numbers from -1e100 to 1e100, got Infinity at position 1\.$/,
    );
    refused(
      () => find([1, -2.5e101], zeros(16)),
      /^logits: expected numbers from -1e100 to 1e100, got -2.5e\+101 at position 1\.$/,
    );
    refused(
      () => find([1, 2], zeros(4), { maxSize: 2, sizeOffsets: Float64Array.of(0, Infinity) }),
      /^sizeOffsets: expected numbers from -1e100 to 1e100 or -Infinity, got Infinity at position 1\.$/,
    );
    refused(() => find([1, 2], zeros(16), { sizeOffsets: Float64Array.of(1) }), /^sizeOffsets: expected a length of 5/);
    refused(() => find([1, 2], zeros(16), { count: -1 }), /^count: expected an integer/);
    refused(() => find([1, 2], [], { maxSize: 0 }), /^maxSize: expected an integer from 1 to 8/);
    refused(() => find([1, 2], zeros(16), { exclude: Uint32Array.of(2) }), /^exclude: expected positions below 2/);
    refused(() => find([1, 2], zeros(16), { alignment: "mean" as never }), /^alignment: expected sum or softmax/);
  });
}

interface LargeCase {
  readonly logits: Float64Array;
  readonly pairScores: Float64Array;
  readonly problem: Problem;
  /** The ten best sets by enumeration. */
  readonly best: readonly object[];
}

const largeCases = new Map<string, LargeCase>();

/** 90 candidates with random scores, all of whose 46 million sets are enumerated, once for all implementations. */
function largeCase(alignment: "sum" | "softmax"): LargeCase {
  const known = largeCases.get(alignment);
  if (known !== undefined) return known;
  let state = 7;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const pool = 90;
  const logits = Float64Array.from({ length: pool }, () => 8 * random() - 4);
  const pairScores = new Float64Array(4 * pool * pool);
  for (let a = 0; a < pool; a += 1) {
    for (let b = 0; b < a; b += 1) {
      for (let m = 0; m < 4; m += 1) {
        const score = random() - 0.5;
        pairScores[(m * pool + a) * pool + b] = score;
        pairScores[(m * pool + b) * pool + a] = score;
      }
    }
  }
  const problem = createProblem();
  fillProblem(problem, checkHyperedgeRequest(logits, pairScores, { alignment }));
  const found = new BestSets();
  found.restart(10);
  enumerateSets(problem, found);
  const made = { logits, pairScores, problem, best: listOf(found) };
  largeCases.set(alignment, made);
  return made;
}

function listOf(best: BestSets): { readonly score: number; readonly members: readonly number[] }[] {
  best.sort();
  return Array.from({ length: best.length }, (_, rank) => ({
    score: best.score(rank),
    members: Array.from({ length: best.size(rank) }, (__, i) => best.member(rank, i)),
  }));
}

function errorOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
