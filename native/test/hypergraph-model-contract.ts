import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  HypergraphModel,
  type HypergraphModelWeights,
  KernelError,
  type Kernels,
  openKernels,
  rankByMarginalGain,
} from "../src/index.ts";
import argmaxFixture from "./fixtures/hyset/argmax.json" with { type: "json" };
import rankFixture from "./fixtures/hyset/rank.json" with { type: "json" };
import shortlistFixture from "./fixtures/hyset/shortlist.json" with { type: "json" };
import type { FixtureModel } from "./hyperedge-cases.ts";

/** What every implementation of the model must do. */
export function hypergraphModelContract(kernels: Kernels): void {
  // Two numbers in a query and an embedding, P = identity. z: (1, 0), (0, 1), (½, ½), (−1, 0). M_2 = M_3 swaps the two numbers:
  // a pair scores a_0·b_1 + a_1·b_0.
  const swap = [0, 1, 1, 0];
  const open = (options: Partial<HypergraphModelWeights> = {}): HypergraphModel =>
    HypergraphModel.fromWeights({
      toolDimensions: 2,
      embeddings: Float32Array.of(1, 0, 0, 1, 0.5, 0.5, -1, 0),
      projection: Float32Array.of(1, 0, 0, 1),
      interactions: Float32Array.from([...swap, ...swap]),
      kernels,
      ...options,
    });

  describe("the pool of a query", () => {
    test("is the tools of the largest logits and those that go best with them", () => {
      // l = 2, 0, 1, −2. With tool 0 alone, M z_0 = (0, 1): g of tool 1 is 1, of 2 ½, of 3 0.
      const { ids, logits, gains, offsets } = open().shortlist(Float32Array.of(2, 0), { shortlist: 1, pool: 3 });
      expect([...ids]).toEqual([0, 1, 2]);
      expect([...logits]).toEqual([2, 0, 1]);
      expect([...gains]).toEqual([Number.NaN, 1, 0.5]);
      expect([...offsets]).toEqual([0, 3]);
    });

    test("holds what is required, and nothing that is excluded or not allowed", () => {
      const pool = (options: object): number[] => [
        ...open().shortlist(Float32Array.of(2, 0), { shortlist: 1, pool: 2, ...options }).ids,
      ];
      expect(pool({ require: Uint32Array.of(3, 3) })).toEqual([0, 3]);
      expect(pool({ exclude: Uint32Array.of(0) })).toEqual([2, 1]);
      expect(pool({ allow: Uint32Array.of(1, 3) })).toEqual([1, 3]);
      expect(pool({ require: Uint32Array.of(2), exclude: Uint32Array.of(2) })).toEqual([0, 1]);
      expect(pool({ shortlist: 0, pool: 0 })).toEqual([]);
    });

    test("is a problem over sets, with the tools in order", () => {
      const { ids, logits, pairScores } = open().problem(Float32Array.of(2, 0), { shortlist: 1, pool: 3 });
      expect([...ids]).toEqual([0, 1, 2]);
      expect([...logits]).toEqual([2, 0, 1]);
      const pairs = [0, 1, 0.5, 1, 0, 0.5, 0.5, 0.5, 0];
      expect([...pairScores]).toEqual([...pairs, ...pairs]);
    });

    test("of a batch stand one behind the other, each as if asked alone", () => {
      const { ids, offsets } = open().shortlist(Float32Array.of(2, 0, 0, 1, -1, 0), { shortlist: 1, pool: 2 });
      expect([...offsets]).toEqual([0, 2, 4, 6]);
      expect([...ids]).toEqual([0, 1, 1, 0, 3, 0]);
    });
  });

  test("the best sets are by tool, best first", () => {
    // Sum alignment with the whole pool: {0, 1, 2} scores 2 + 0 + 1 + (1 + ½ + ½) = 5, {0, 2} 3 + ½, {0, 1} 2 + 1, {0} 2.
    const { queryOffsets, offsets, members, scores } = open().bestSets(Float32Array.of(2, 0), { count: 4 });
    expect([...queryOffsets]).toEqual([0, 4]);
    expect([...scores]).toEqual([5, 3.5, 3, 2]);
    expect([...members]).toEqual([0, 1, 2, 0, 2, 0, 1, 0]);
    expect([...offsets]).toEqual([0, 3, 5, 7, 8]);
  });

  test("sets keep to constraints by tool", () => {
    const best = (options: object): number[] => [...open().bestSets(Float32Array.of(2, 0), options).members];
    expect(best({ require: Uint32Array.of(3), maxTools: 2 })).toEqual([0, 3]);
    expect(best({ groups: [Uint32Array.of(0, 2)] })).toEqual([0, 1]);
    expect(best({ tokens: Uint32Array.of(5, 1, 1, 1), maxTokens: 4 })).toEqual([1, 2]);
    expect(best({ require: Uint32Array.of(1), exclude: Uint32Array.of(1) })).toEqual([]);
    expect(best({ require: Uint32Array.of(1), allow: Uint32Array.of(0, 2) })).toEqual([]);
  });

  test("a ranking is by tool and as that of the pool's problem", () => {
    const model = open();
    const { ids, gains, scores } = model.rank(Float32Array.of(2, 0), { k: 3 });
    expect([...ids]).toEqual([0, 2, 1]);
    expect([...scores]).toEqual([2, 3.5, 5]);
    expect([...gains]).toEqual([2, 1.5, 1.5]);
    const problem = model.problem(Float32Array.of(2, 0));
    const ranking = rankByMarginalGain(problem.logits, problem.pairScores, { maxSize: 3, k: 3, kernels });
    expect([...ranking.ids].map((position) => problem.ids[position])).toEqual([0, 2, 1]);
  });

  test("a ranking passes no size that is forbidden", () => {
    const ids = (sizeOffsets: readonly number[]): number[] => [
      ...open({ sizeOffsets: Float64Array.from(sizeOffsets) }).rank(Float32Array.of(2, 0)).ids,
    ];
    expect(ids([0, 0, -Infinity])).toHaveLength(2);
    expect(ids([0, -Infinity, 0])).toEqual([0]);
    expect(ids([-Infinity, 0, 0])).toEqual([]);
  });

  describe("agrees with the authors' code", () => {
    const near = (actual: ArrayLike<number>, expected: readonly number[]): void => {
      expect(actual.length).toBe(expected.length);
      const scale = Math.max(1, ...expected.map(Math.abs));
      for (const [i, value] of expected.entries())
        expect(Math.abs(actual[i]! - value)).toBeLessThanOrEqual(1e-5 * scale);
    };
    const modelOf = ({ Z, P, M }: Omit<FixtureModel, "r">): HypergraphModel =>
      HypergraphModel.fromWeights({
        toolDimensions: Z[0]!.length,
        embeddings: Float32Array.from(Z.flat()),
        projection: Float32Array.from(P.flat()),
        interactions: Float32Array.from(["2", "3", "4", "5"].flatMap((size) => symmetric(M[size]!).flat())),
        alignment: "softmax",
        kernels,
      });

    test("in shortlists, their logits and gains", () => {
      for (const { queries, K1, K_pool, ...weights } of [...shortlistFixture.models, ...shortlistFixture.ties]) {
        const model = modelOf(weights as unknown as FixtureModel);
        for (const { r, S, logits, g } of queries) {
          const found = model.shortlist(Float32Array.from(r), { shortlist: K1, pool: K_pool });
          expect([...found.ids]).toEqual(S);
          near(
            found.logits,
            S.map((id) => logits[id]!),
          );
          near(
            found.gains.subarray(K1),
            S.slice(K1).map((id) => (g as (number | null)[])[id]!),
          );
        }
      }
    });

    test("in the best sets", () => {
      for (const { r, pool, best, best_score, ...weights } of argmaxFixture.cases) {
        const model = modelOf(weights as unknown as FixtureModel);
        const allow = Uint32Array.from(pool);
        const options = { shortlist: pool.length, pool: pool.length, allow };
        const found = model.bestSets(Float32Array.from(r), options);
        expect([...found.members]).toEqual(best.toSorted((a, b) => a - b));
        near(found.scores, [best_score]);
      }
    });

    test("in the greedy ranking", () => {
      for (const { r, pool, ranking, F_after_step, ...weights } of rankFixture.cases) {
        const model = modelOf(weights as unknown as FixtureModel);
        const options = { shortlist: pool.length, pool: pool.length, allow: Uint32Array.from(pool), k: ranking.length };
        const found = model.rank(Float32Array.from(r), options);
        expect([...found.ids]).toEqual(ranking);
        near(found.scores, F_after_step);
      }
    });
  });

  const isTypescript = kernels.implementation === "typescript";

  test.skipIf(isTypescript)("gives the bits that TypeScript gives", () => {
    fc.assert(
      fc.property(modelCases(), ({ weights, queries, options }) => {
        const [left, right] = [kernels, openKernels("typescript")].map((used) => {
          using model = HypergraphModel.fromWeights({ ...weights, kernels: used });
          return [
            model.shortlist(queries, options),
            model.bestSets(queries, { ...options, count: 3 }),
            model.rank(queries, options),
          ].map((columns) =>
            Object.entries(columns).map(([name, column]) => [name, ...(column as Uint32Array)].join()),
          );
        });
        expect(left).toEqual(right);
      }),
      { numRuns: 150 },
    );
  });

  describe("files", () => {
    const inFolder = async (use: (path: string) => Promise<void>): Promise<void> => {
      const folder = await mkdtemp(join(tmpdir(), "setwise-model-"));
      try {
        await use(join(folder, "model.safetensors"));
      } finally {
        await rm(folder, { recursive: true });
      }
    };

    test("bring back a model that answers the same", () =>
      inFolder(async (path) => {
        const sizeOffsets = Float64Array.of(0, -1, Number.NEGATIVE_INFINITY);
        const model = open({ sizeOffsets, emptyScore: 0.25, alignment: "softmax" });
        await model.save(path);
        for (const used of [kernels, openKernels("typescript")]) {
          const loaded = await HypergraphModel.load(path, { kernels: used });
          const query = Float32Array.of(0.5, 0.25);
          expect(loaded.bestSets(query, { count: 9 })).toEqual(model.bestSets(query, { count: 9 }));
          expect([loaded.tools, loaded.maxSize, loaded.alignment]).toEqual([4, 3, "softmax"]);
        }
      }));

    test("are not blamed for an option that is not right, and not opened", () =>
      inFolder(async (path) => {
        const load = (options: object) => HypergraphModel.load(path, { kernels, ...options });
        const code = "invalid-argument";
        for (const saved of [false, true]) {
          if (saved) await open().save(path);
          await expect(load({ threads: 0 })).rejects.toMatchObject({
            code,
            message: expect.stringMatching(/^threads: expected/),
          });
          await expect(load({ precision: "int4" })).rejects.toMatchObject({
            code,
            message: expect.stringMatching(/^precision: expected/),
          });
        }
        expect((await load({ threads: 2, precision: "float32" })).tools).toBe(4);
      }));

    test("that are damaged or of another kind are refused", () =>
      inFolder(async (path) => {
        await open().save(path);
        const bytes = await readFile(path);
        const damaged = Uint8Array.from(bytes);
        damaged[bytes.length - 3]! ^= 1;
        for (const content of [damaged, bytes.subarray(0, bytes.length - 8), new Uint8Array(5)]) {
          await writeFile(path, content);
          await expect(HypergraphModel.load(path, { kernels })).rejects.toMatchObject({ code: "corrupt-file" });
        }
      }));
  });

  test("numbers that no model has are named by argument and position", () => {
    const refused = (call: () => unknown, name: string, text: string): void => {
      expect(call).toThrow(KernelError);
      expect(call).toThrow(`${name}: ${text}`);
    };
    const at = (position: number): string =>
      `the number at position ${position} is NaN or infinite; every number must be finite.`;
    const long = (row: number): string =>
      `vector ${row} is longer than 2^62, so that a score could overflow; scale the vectors down.`;
    const matrices = [...swap, ...swap];
    refused(() => open({ embeddings: Float32Array.of(1, 0, Infinity, 0) }), "embeddings", at(2));
    refused(() => open({ embeddings: Float32Array.of(1, 0, 8e18, 0) }), "embeddings", long(1));
    refused(() => open({ projection: Float32Array.of(1, 0, 0, Number.NaN) }), "projection", at(3));
    refused(() => open({ interactions: Float32Array.from(matrices.with(6, -Infinity)) }), "interactions", at(6));
    // Two tools of (1, 0): P z and M z may be long where neither P nor M nor z is NaN or infinite.
    const embeddings = Float32Array.of(1, 0, 1, 0);
    refused(() => open({ embeddings, projection: Float32Array.of(8e18, 0, 0, 1) }), "matchRows", long(0));
    // The long row of P meets only zeros.
    expect(open({ embeddings, projection: Float32Array.of(1, 0, 0, 8e18) }).tools).toBe(2);
    const rows = (name: string, values: readonly number[]) => () =>
      new HypergraphModel({
        queryDimensions: 1,
        toolDimensions: 1,
        matchRows: Float32Array.of(1, 2),
        embeddings: Float32Array.of(3, 4),
        pairRows: Float32Array.of(5, 6, 7, 8),
        maxSize: 3,
        kernels,
        [name]: Float32Array.from(values),
      });
    for (const name of ["matchRows", "embeddings"]) {
      refused(rows(name, [0, Number.NaN]), name, at(1));
      refused(rows(name, [0, 8e18]), name, long(1));
    }
    refused(rows("pairRows", [0, 8e18, 0, Number.NaN]), "pairRows", at(3));
    refused(rows("pairRows", [0, 0, 8e18, 0]), "pairRows", long(2));
  });

  test("refusals name the argument", () => {
    const refused = (call: () => unknown, message: RegExp): void => {
      expect(call).toThrow(message);
      expect(call).toThrow(KernelError);
    };
    const model = open();
    const query = Float32Array.of(1, 0);
    refused(() => model.shortlist(Float32Array.of(1)), /^queries: expected a length that is a multiple of the 2/);
    refused(() => model.shortlist(Float32Array.of(1, Number.NaN)), /^queries: the number at position 1 is NaN/);
    refused(() => model.shortlist(query, { pool: -1 }), /^pool: expected an integer from 0 to 1024/);
    refused(
      () => model.shortlist(query, { require: Uint32Array.of(4) }),
      /^require: ordinal 4 names no row; there are 4 rows\.$/,
    );
    refused(
      () => model.shortlist(query, { exclude: Uint32Array.of(9) }),
      /^exclude: ordinal 9 names no row; there are 4 rows\.$/,
    );
    refused(() => model.bestSets(query, { count: 1.5 }), /^count: expected/);
    refused(
      () => model.bestSets(query, { tokens: Uint32Array.of(1), maxTokens: 1 }),
      /^tokens: expected a length of 4/,
    );
    refused(() => model.problem(Float32Array.of(1, 0, 1, 0)), /^query: expected 2 numbers, got 4/);
    refused(() => open({ interactions: Float32Array.of(1, 2, 3) }), /^interactions: expected/);
    refused(() => open({ sizeOffsets: Float64Array.of(1) }), /^sizeOffsets: expected a length of 3/);
    refused(() => open({ sizeOffsets: Float64Array.of(0, 0, 1e101) }), /^sizeOffsets: expected numbers/);
    model.dispose();
    model.dispose();
    refused(() => model.shortlist(query), /was disposed/);
    expect(open({ embeddings: new Float32Array(0) }).bestSets(query).scores.length).toBe(0);
    expect(open().bestSets(new Float32Array(0)).queryOffsets).toEqual(Uint32Array.of(0));
  });
}

/** (M + M') / 2. */
function symmetric(matrix: readonly (readonly number[])[]): number[][] {
  return matrix.map((row, i) => row.map((value, j) => (value + matrix[j]![i]!) / 2));
}

function modelCases(): fc.Arbitrary<{
  readonly weights: HypergraphModelWeights;
  readonly queries: Float32Array;
  readonly options: object;
}> {
  const floats = (count: number): fc.Arbitrary<Float32Array> =>
    fc.oneof(
      fc.float32Array({ minLength: count, maxLength: count, min: -2, max: 2, noNaN: true }),
      fc
        .array(fc.integer({ min: -1, max: 1 }), { minLength: count, maxLength: count })
        .map((list) => Float32Array.from(list)),
    );
  const shape = fc.record({
    tools: fc.nat(40),
    toolDimensions: fc.integer({ min: 1, max: 9 }),
    queryDimensions: fc.integer({ min: 1, max: 20 }),
    sizes: fc.nat(3),
    asked: fc.nat(3),
  });
  return shape.chain(({ tools, toolDimensions, queryDimensions, sizes, asked }) => {
    const some = fc
      .array(fc.nat(Math.max(tools - 1, 0)), { maxLength: tools === 0 ? 0 : 3 })
      .map((list) => Uint32Array.from(list));
    return fc.record({
      weights: fc.record({
        toolDimensions: fc.constant(toolDimensions),
        embeddings: floats(tools * toolDimensions),
        projection: floats(queryDimensions * toolDimensions),
        interactions: floats(sizes * toolDimensions * toolDimensions),
        alignment: fc.constantFrom("sum" as const, "softmax" as const),
        precision: fc.constantFrom("float32" as const, "int8" as const),
      }),
      queries: floats(asked * queryDimensions),
      options: fc.record(
        {
          shortlist: fc.nat(6),
          pool: fc.nat(12),
          require: some,
          exclude: some,
          groups: fc.array(some, { maxLength: 2 }),
        },
        { requiredKeys: ["shortlist", "pool"] },
      ),
    });
  });
}
