import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KernelError, type Kernels, type Similarity, VectorIndex } from "../src/index.ts";

/** What every implementation of the vector index must do. */
export function vectorIndexContract(kernels: Kernels): void {
  const open = (dimensions: number, vectors: readonly number[], similarity?: Similarity): VectorIndex =>
    new VectorIndex({
      dimensions,
      vectors: Float32Array.from(vectors),
      kernels,
      ...(similarity === undefined ? {} : { similarity }),
    });
  const search = (index: VectorIndex, queries: readonly number[], k: number, allow?: readonly number[]) => {
    const options = allow === undefined ? {} : { allow: Uint32Array.from(allow) };
    const { ids, scores, count } = index.search(Float32Array.from(queries), k, options);
    expect(ids).toBeInstanceOf(Uint32Array);
    expect(scores).toBeInstanceOf(Float32Array);
    return { ids: [...ids], scores: [...scores], count };
  };

  describe("answers", () => {
    test("are the best rows by inner product, best first", () => {
      // 1·1 + 2·0 = 1; 3·1 + 0 = 3; 0 + 0 = 0; −1.
      const index = open(2, [1, 2, 3, 0, 0, 5, -1, 0]);
      expect(search(index, [1, 0], 3)).toEqual({ ids: [1, 0, 2], scores: [3, 1, 0], count: 3 });
      expect({ size: index.size, dimensions: index.dimensions, similarity: index.similarity }).toEqual({
        size: 4,
        dimensions: 2,
        similarity: "inner-product",
      });
    });

    test("put the lower ordinal first where scores are equal, also at the cut", () => {
      const index = open(1, [2, 1, 2, 1, 2, 1]);
      expect(search(index, [1], 2)).toEqual({ ids: [0, 2], scores: [2, 2], count: 2 });
      expect(search(index, [1], 4).ids).toEqual([0, 2, 4, 1]);
    });

    test("score a cosine by the directions alone", () => {
      // (3, 4) has length 5: cosine with (1, 0) is 3 / 5, with its own direction 1; (0, −2) is opposite to (0, 1).
      const index = open(2, [3, 4, 0, -2, 0, 0], "cosine");
      expect(search(index, [10, 0], 1)).toEqual({ ids: [0], scores: [Math.fround(0.6)], count: 1 });
      expect(search(index, [0, 7], 3)).toEqual({ ids: [0, 2, 1], scores: [Math.fround(0.8), 0, -1], count: 3 });
    });

    test("score rows and queries of zeros 0, in order of ordinals", () => {
      for (const similarity of ["inner-product", "cosine"] as const) {
        expect(search(open(2, [0, 0, 1, 0, 0, 0], similarity), [0, 0], 3)).toEqual({
          ids: [0, 1, 2],
          scores: [0, 0, 0],
          count: 3,
        });
      }
    });

    test("never hold a negative zero", () => {
      // −1e-30 · 1e-30 = −1e-60 is too small for float32; it ties with 0 and the lower ordinal wins.
      const { ids, scores } = search(open(1, [-1e-30, 0, -0]), [1e-30], 3);
      expect(ids).toEqual([0, 1, 2]);
      expect(scores.map((score) => Object.is(score, 0))).toEqual([true, true, true]);
    });

    test("keep numbers that float32 sums would lose", () => {
      // Exactly 1. In float32, 2^24 + 1 − 2^24 summed from left to right is 0.
      const row = Array.from({ length: 64 }, () => 0);
      row[0] = 2 ** 24;
      row[16] = 1;
      row[32] = -(2 ** 24);
      const index = open(64, [...row, ...row.map((x) => x / 2)]);
      expect(
        search(
          index,
          Array.from({ length: 64 }, () => 1),
          1,
        ),
      ).toEqual({ ids: [0], scores: [1], count: 1 });
    });

    test("of a batch stand one behind the other, each as if asked alone", () => {
      const index = open(2, [1, 0, 0, 1, 1, 1]);
      const queries = [1, 0, 0, 1, -1, -1];
      const batch = search(index, queries, 2);
      expect(batch).toEqual({ ids: [0, 2, 1, 2, 0, 1], scores: [1, 1, 1, 1, -1, -1], count: 2 });
    });

    test("of a batch longer than one pass over the rows are right to the last", () => {
      // Row i is i; query j is ±1, so the best row is the last or the first in turn.
      const index = open(
        1,
        Array.from({ length: 200 }, (_, i) => i),
      );
      const queries = Array.from({ length: 19 }, (_, j) => (j % 2 === 0 ? 1 : -1));
      expect(search(index, queries, 1).ids).toEqual(queries.map((sign) => (sign === 1 ? 199 : 0)));
    });

    test("come only from the allowed rows, in any order and with doubles", () => {
      const index = open(1, [5, 4, 3, 2, 1]);
      expect(search(index, [1], 2, [4, 2, 1, 2])).toEqual({ ids: [1, 2], scores: [4, 3], count: 2 });
      expect(search(index, [1], 9, [3, 3, 0])).toEqual({ ids: [0, 3], scores: [5, 2], count: 2 });
      expect(search(index, [1, -1], 9, [3, 3, 0]).ids).toEqual([0, 3, 3, 0]);
      expect(search(index, [1], 9, [])).toEqual({ ids: [], scores: [], count: 0 });
    });

    test("are all rows when k goes beyond them, and none when k is 0, the index is empty or there is no query", () => {
      const index = open(1, [1, 2]);
      expect(search(index, [1], Number.MAX_SAFE_INTEGER)).toEqual({ ids: [1, 0], scores: [2, 1], count: 2 });
      expect(search(index, [1], 0)).toEqual({ ids: [], scores: [], count: 0 });
      expect(search(index, [], 2)).toEqual({ ids: [], scores: [], count: 2 });
      expect(search(open(3, []), [1, 2, 3], 2)).toEqual({ ids: [], scores: [], count: 0 });
    });

    test("do not change when the caller changes his arrays afterwards", () => {
      const vectors = Float32Array.of(1, 2);
      const index = new VectorIndex({ dimensions: 1, vectors, kernels });
      vectors.fill(Number.NaN);
      const query = Float32Array.of(1);
      const { scores } = index.search(query, 1);
      expect([...vectors, ...query]).toEqual([Number.NaN, Number.NaN, 1]);
      index.search(Float32Array.of(-1), 1);
      expect([...scores]).toEqual([2]);
    });

    test("are the same from a part of an array and from shared memory", () => {
      const parts = Float32Array.of(9, 9, 1, 2, 9).subarray(2, 4);
      const shared = new Float32Array(new SharedArrayBuffer(8));
      shared.set([1, 2]);
      for (const vectors of [parts, shared]) {
        const index = new VectorIndex({ dimensions: 1, vectors, kernels });
        const query = Float32Array.of(9, 3).subarray(1);
        expect([...index.search(query, 1).scores]).toEqual([6]);
      }
    });

    test("agree with the definition on random vectors, ties and allow-lists", () => {
      fc.assert(
        fc.property(searchCases(), ({ dimensions, vectors, queries, k, allow }) => {
          const index = new VectorIndex({ dimensions, vectors, kernels });
          const got = index.search(queries, k, allow === undefined ? {} : { allow });
          const expected = defined(dimensions, vectors, queries, k, allow);
          expect([...got.ids]).toEqual(expected.map(([id]) => id));
          expect([...got.scores]).toEqual(expected.map(([, score]) => score));
          index.dispose();
        }),
        { numRuns: 200 },
      );
    });
  });

  describe("refusals", () => {
    const refused = (call: () => unknown, message: RegExp) => {
      expect(call).toThrow(message);
      try {
        call();
      } catch (error) {
        expect(KernelError.isInstance(error) && error.code).toBe("invalid-argument");
      }
    };

    test("name the number that is NaN or infinite, in rows and in queries", () => {
      refused(() => open(2, [0, 0, 0, Number.NaN]), /^vectors: the number at position 3 is NaN or infinite/);
      refused(() => open(1, [Infinity], "cosine"), /^vectors: the number at position 0 is NaN or infinite/);
      const index = open(2, [1, 0]);
      refused(() => search(index, [1, 0, -Infinity, 0], 1), /^queries: the number at position 2 is NaN or infinite/);
      expect(search(index, [1, 0], 1).scores).toEqual([1]);
    });

    test("name the row whose scores could overflow", () => {
      refused(() => open(2, [1, 0, 4e18, 4e18]), /^vectors: vector 1 is longer than 2\^62/);
      refused(() => search(open(1, [1]), [1, 5e18], 1), /^queries: vector 1 is longer than 2\^62/);
      // A NaN anywhere is named first.
      refused(() => open(1, [1e38, Number.NaN]), /^vectors: the number at position 1 is NaN/);
      expect(search(open(1, [3e38], "cosine"), [1e-40], 1).scores).toEqual([1]);
      expect(search(open(1, [4e18]), [4e18], 1).scores).toEqual([Math.fround(Math.fround(4e18) ** 2)]);
    });

    test("say which length was expected", () => {
      refused(() => open(3, [1, 2]), /^vectors: expected a length that is a multiple of the 3 dimensions, got 2/);
      refused(() => search(open(3, []), [1, 2], 1), /^queries: expected a length that is a multiple of the 3 dimens/);
      for (const dimensions of [0, -1, 1.5, Number.NaN, 2 ** 32, 65_537]) {
        refused(() => open(dimensions, []), /^dimensions: expected an integer from 1 to 65536, got /);
      }
    });

    test("name arguments of the wrong type", () => {
      const index = open(1, [1]);
      const bad = (value: unknown) => value as never;
      refused(() => index.search(bad([1]), 1), /^queries: expected a Float32Array, got an array/);
      refused(() => index.search(bad(new Float64Array(1)), 1), /^queries: expected a Float32Array, got Float64Array/);
      refused(() => index.search(bad(undefined), 1), /^queries: expected a Float32Array, got undefined/);
      refused(() => index.search(Float32Array.of(1), 1, { allow: bad([0]) }), /^allow: expected a Uint32Array, got an/);
      for (const k of [-1, 1.5, Number.NaN, Infinity]) {
        refused(() => index.search(Float32Array.of(1), k), /^k: expected an integer of 0 or more, got /);
      }
      refused(() => open(1, [1], bad("euclid")), /^similarity: expected inner-product or cosine, got "euclid"/);
    });

    test("name the ordinal that names no row", () => {
      refused(() => search(open(1, [1, 2]), [1], 1, [0, 2]), /^allow: ordinal 2 names no row; there are 2 rows/);
    });

    test("come after dispose, which may be called twice", () => {
      const index = open(1, [1]);
      index.dispose();
      index[Symbol.dispose]();
      refused(() => search(index, [1], 1), /^This index was disposed; make a new one/);
    });
  });
}

export interface SearchCase {
  readonly dimensions: number;
  readonly vectors: Float32Array;
  readonly queries: Float32Array;
  readonly k: number;
  readonly allow: Uint32Array | undefined;
}

/** Numbers that collide, nearly collide, cancel, underflow, and differ by many orders of magnitude. */
const number = fc.oneof(
  { weight: 4, arbitrary: fc.float({ min: -1, max: 1, noNaN: true }) },
  { weight: 3, arbitrary: fc.constantFrom(0, -0, 1, -1, 0.5) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3 }).map((ulps) => 1 + ulps * 2 ** -23) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 50, -(2 ** 50), 2 ** -126, 2 ** -149, -(2 ** -148)) },
);

export function searchCases(): fc.Arbitrary<SearchCase> {
  const shape = fc.record({ dimensions: fc.integer({ min: 1, max: 40 }), rows: fc.integer({ min: 0, max: 40 }) });
  return shape.chain(({ dimensions, rows }) => {
    const vector = fc.array(number, { minLength: dimensions, maxLength: dimensions });
    // Rows are picked from a few distinct ones, so that many tie.
    const distinct = fc.array(vector, { minLength: 1, maxLength: 12 });
    const picks = fc.array(fc.nat(11), { minLength: rows, maxLength: rows });
    return fc.record({
      dimensions: fc.constant(dimensions),
      vectors: fc
        .tuple(distinct, picks)
        .map(([vectors, picked]) => Float32Array.from(picked.flatMap((pick) => vectors[pick % vectors.length]!))),
      queries: fc.array(vector, { maxLength: 10 }).map((queries) => Float32Array.from(queries.flat())),
      k: fc.integer({ min: 0, max: rows + 2 }),
      allow:
        rows === 0
          ? fc.constant(undefined)
          : fc.option(
              fc.array(fc.nat(rows - 1), { maxLength: rows }).map((list) => Uint32Array.from(list)),
              { nil: undefined },
            ),
    });
  });
}

/** The definition, as plainly as it can be written: every score, sorted. */
function defined(
  dimensions: number,
  vectors: Float32Array,
  queries: Float32Array,
  k: number,
  allow: Uint32Array | undefined,
): [number, number][] {
  const all: [number, number][] = [];
  for (let from = 0; from < queries.length; from += dimensions) {
    const query = queries.subarray(from, from + dimensions);
    const scored: [number, number][] = [];
    for (let row = 0; row < vectors.length / dimensions; row += 1) {
      if (allow !== undefined && !allow.includes(row)) continue;
      const sums = [0, 0, 0, 0] as [number, number, number, number];
      query.forEach((value, i) => (sums[i % 4]! += value * vectors[row * dimensions + i]!));
      scored.push([row, Math.fround(sums[0] + sums[1] + (sums[2] + sums[3])) + 0]);
    }
    scored.sort((left, right) => right[1] - left[1] || left[0] - right[0]);
    all.push(...scored.slice(0, k));
  }
  return all;
}
