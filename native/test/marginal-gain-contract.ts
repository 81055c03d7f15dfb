import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KernelError, type Kernels, type MarginalGainOptions, openKernels, rankByMarginalGain } from "../src/index.ts";
import { type FixtureModel, fixtureProblem, type HyperedgeCase, hyperedgeCases, scoreOf } from "./hyperedge-cases.ts";
import rankFixture from "./fixtures/hyset/rank.json" with { type: "json" };

/** What every implementation of the greedy ranking must do. */
export function marginalGainContract(kernels: Kernels): void {
  const rank = (logits: readonly number[], pairs: readonly number[], options: MarginalGainOptions = {}) => {
    const answer = rankByMarginalGain(Float64Array.from(logits), Float64Array.from(pairs), { ...options, kernels });
    return { ids: [...answer.ids], gains: [...answer.gains], scores: [...answer.scores] };
  };
  const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

  test("several queries stand one behind the other, each as if asked alone", () => {
    const [first, second] = [
      [1, 3, 2],
      [0, 0, 5],
    ];
    const pairs = [0, 2, 0, 2, 0, 0, 0, 0, 0];
    const options = { maxSize: 2, pool: 3, k: 2, kernels };
    const logits = Float64Array.of(...first, ...second);
    const both = rankByMarginalGain(logits, Float64Array.of(...pairs, ...zeros(9)), options);
    expect([...both.ids]).toEqual([1, 0, 2, 0]);
    expect([...both.scores]).toEqual([3, 6, 5, 5]);
    expect([...both.offsets]).toEqual([0, 2, 4]);
  });

  test("several queries over one pool share its pair scores", () => {
    const pairs = [0, 2, 0, 2, 0, 0, 0, 0, 0];
    const options = { maxSize: 2, pool: 3, k: 2, kernels };
    const { ids, offsets } = rankByMarginalGain(Float64Array.of(1, 3, 2, 0, 0, 5), Float64Array.from(pairs), options);
    expect([...ids]).toEqual([1, 0, 2, 0]);
    expect([...offsets]).toEqual([0, 2, 4]);
  });

  test("each step takes the candidate with which the set scores best", () => {
    // First 1 (logit 3). Then 0: 3 + 1 + 2 (pair 0–1) = 6, against 3 + 2 (candidate 2) = 5. Then 2: 6 + 2 = 8 (no third matrix: G_2 goes on).
    const pairs = [0, 2, 0, 2, 0, 0, 0, 0, 0];
    expect(rank([1, 3, 2], pairs, { maxSize: 2 })).toEqual({ ids: [1, 0, 2], gains: [3, 3, 2], scores: [3, 6, 8] });
  });

  test("equal candidates come in the order of the pool", () => {
    expect(rank([1, 2, 1, 2], zeros(64)).ids).toEqual([1, 3, 0, 2]);
  });

  test("k bounds the ranking, and an empty pool has none", () => {
    expect(rank([1, 2, 3], zeros(36), { k: 2 }).ids).toEqual([2, 1]);
    expect(rank([1, 2, 3], zeros(36), { k: 0 })).toEqual({ ids: [], gains: [], scores: [] });
    expect(rank([1, 2, 3], zeros(36), { k: 99 }).ids).toEqual([2, 1, 0]);
    expect(rank([], [])).toEqual({ ids: [], gains: [], scores: [] });
  });

  test("the first gain is over the empty set's score, and size offsets count", () => {
    const options = { maxSize: 2, sizeOffsets: Float64Array.of(10, 7), emptyScore: 4 };
    // 1 + 10 − 4 = 7; (1 + 1 + 7) − 11 = −2; beyond M the offset stays: (3 + 7) − 9 = 1.
    expect(rank([1, 1, 1], zeros(9), options)).toEqual({ ids: [0, 1, 2], gains: [7, -2, 1], scores: [11, 9, 10] });
  });

  test("no size that is forbidden is passed", () => {
    const ids = (sizeOffsets: readonly number[], options: MarginalGainOptions = {}): number[] =>
      rank([1, 3, 2], zeros(18), { maxSize: 3, sizeOffsets: Float64Array.from(sizeOffsets), ...options }).ids;
    expect(ids([0, 0, -Infinity])).toEqual([1, 2]);
    expect(ids([0, -Infinity, 0], { alignment: "softmax" })).toEqual([1]);
    expect(ids([-Infinity, 0, 0])).toEqual([]);
    expect(ids([0, -Infinity, 0], { require: Uint32Array.of(0, 2) })).toEqual([]);
    const { ids: each, offsets } = rankByMarginalGain(Float64Array.of(1, 2, 4, 3), new Float64Array(4), {
      maxSize: 2,
      pool: 2,
      sizeOffsets: Float64Array.of(0, -Infinity),
      kernels,
    });
    expect([[...each], [...offsets]]).toEqual([
      [1, 0],
      [0, 1, 2],
    ]);
  });

  describe("constraints", () => {
    const logits = [5, 4, 3, 2];
    const ids = (options: MarginalGainOptions): number[] => rank(logits, zeros(64), options).ids;

    test("put required candidates first and leave excluded ones out", () => {
      expect(ids({ require: Uint32Array.of(3, 2, 3), exclude: Uint32Array.of(0) })).toEqual([2, 3, 1]);
      expect(ids({ maxTools: 2 })).toEqual([0, 1]);
    });

    test("take one of a group", () => {
      expect(ids({ groups: [Uint32Array.of(0, 1), Uint32Array.of(1, 3, 2)] })).toEqual([0, 2]);
    });

    test("pass over what the budget does not allow", () => {
      const tokens = Uint32Array.of(3, 3, 2, 1);
      expect(ids({ tokens, maxTokens: 5.5 })).toEqual([0, 2]);
      expect(ids({ tokens, maxTokens: 5.5, require: Uint32Array.of(1) })).toEqual([1, 2]);
      expect(ids({ tokens, maxTokens: 0 })).toEqual([]);
    });

    test("that cannot be kept together leave nothing", () => {
      expect(ids({ require: Uint32Array.of(1), exclude: Uint32Array.of(1) })).toEqual([]);
      expect(ids({ require: Uint32Array.of(1, 2), maxTools: 1 })).toEqual([]);
      expect(ids({ require: Uint32Array.of(1, 2), groups: [Uint32Array.of(1, 2)] })).toEqual([]);
      expect(ids({ require: Uint32Array.of(1, 2), tokens: Uint32Array.of(1, 1, 1, 1), maxTokens: 1 })).toEqual([]);
    });
  });

  test("agrees with the authors' code", () => {
    for (const { pool, ranking, F_after_step, ...model } of rankFixture.cases) {
      const { logits, pairScores } = fixtureProblem(model as FixtureModel, pool);
      const options = { alignment: "softmax", k: ranking.length, kernels } as const;
      const { ids, scores } = rankByMarginalGain(logits, pairScores, options);
      expect([...ids].map((position) => pool[position])).toEqual(ranking);
      for (const [i, expected] of F_after_step.entries()) {
        expect(Math.abs(scores[i]! - expected)).toBeLessThanOrEqual(1e-10 * Math.max(1, Math.abs(expected)));
      }
    }
  });

  test("is greedy by its definition", () => {
    fc.assert(
      fc.property(hyperedgeCases(), (random) => {
        const { logits, pairScores, options } = random;
        const { ids, gains, scores } = rankByMarginalGain(logits, pairScores, { ...options, kernels });
        let before = options.emptyScore ?? 0;
        const members: number[] = [];
        for (const [step, id] of ids.entries()) {
          const candidates = choices(random, members);
          const best = Math.max(...candidates.map((candidate) => scoreOf(random, [...members, candidate])));
          expect(candidates).toContain(id);
          members.push(id);
          expect(scoreOf(random, members)).toBeGreaterThanOrEqual(best - 1e-9);
          expect(scores[step]).toBeCloseTo(scoreOf(random, members), 9);
          expect(gains[step]).toBe(scores[step]! - before);
          before = scores[step]!;
        }
        const required = new Set(options.require ?? []);
        const open = choices(random, members).length > 0 && members.length < (options.maxTools ?? Infinity);
        // It ends where nothing more can be had, or at once where the required ones cannot be had together.
        expect(!open || (ids.length === 0 && required.size > 0)).toBe(true);
        for (const id of required) expect(ids.length === 0 || members.includes(id)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  const isTypescript = kernels.implementation === "typescript";

  test.skipIf(isTypescript)("gives the bits that TypeScript gives", () => {
    fc.assert(
      fc.property(hyperedgeCases(70), fc.nat(6), ({ logits, pairScores, options }, more) => {
        // Further queries over the same pool, each with other logits.
        const pool = logits.length;
        const all = Float64Array.from(
          { length: pool * (1 + more) },
          (_, i) => logits[i % pool]! * (i < pool ? 1 : i % 7),
        );
        const [left, right] = [kernels, openKernels("typescript")].map((used) => {
          const ranked = rankByMarginalGain(all, pairScores, { ...options, pool, kernels: used });
          const { ids, gains, scores, offsets } = ranked;
          return { ids: [...ids], offsets: [...offsets], numbers: [...gains, ...scores].map(String) };
        });
        expect(left).toEqual(right);
      }),
      { numRuns: 400 },
    );
  });

  test("refuses what is no number, wrong lengths and types", () => {
    const refused = (call: () => unknown, message: RegExp): void => {
      expect(call).toThrow(message);
      expect(call).toThrow(KernelError);
    };
    refused(() => rank([1, 2], zeros(15)), /^pairScores: expected a length of \(5 − 1\) × 2 × 2/);
    refused(() => rank([1, Number.NaN], zeros(16)), /^logits: expected numbers/);
    refused(() => rank([2, 1], [0, Infinity, ...zeros(14)]), /^pairScores: expected/);
    for (const c of [1.1e100, Number.NaN, Infinity]) {
      // Also where sets are never so large.
      const sizeOffsets = Float64Array.of(0, 0, 0, 0, c);
      refused(
        () => rank([1], zeros(4), { sizeOffsets }),
        /^sizeOffsets: expected .* or -Infinity, got \S+ at position 4/,
      );
    }
    refused(() => rank([1, 2, 3], zeros(16), { pool: 2 }), /^logits: expected a length that is a multiple of the 2/);
    refused(() => rank([1, 2], zeros(16), { k: -1 }), /^k: expected/);
    refused(() => rank([1], zeros(4), { require: Uint32Array.of(1) }), /^require: expected positions below 1/);
    refused(() => rank([1], zeros(4), { maxTokens: 3 }), /give `tokens` as well/);
    refused(() => rankByMarginalGain([1] as never, Float64Array.of(0)), /^logits: expected a Float64Array/);
  });
}

/** The candidates that may be added: required ones first, no excluded, none of a group that is represented, within the budget. */
function choices({ logits, options }: HyperedgeCase, members: readonly number[]): number[] {
  const { require = [], exclude = [], groups = [], tokens, maxTokens = Infinity } = options;
  const left = [...require].filter((id) => !members.includes(id));
  const spent = members.reduce((sum, id) => sum + (tokens?.[id] ?? 0), 0);
  return Array.from(logits.keys()).filter(
    (id) =>
      !members.includes(id) &&
      ![...exclude].includes(id) &&
      (left.length === 0 || left.includes(id)) &&
      !groups.some((group) => group.includes(id) && members.some((member) => group.includes(member))) &&
      spent + (tokens?.[id] ?? 0) <= maxTokens,
  );
}
