import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KernelError, type Kernels, type Similarity, VectorIndex } from "../src/index.ts";
import type { TensorType } from "../src/safetensors-header.ts";
import { type SafetensorsContent, type Tensor, writeSafetensors } from "../src/write-safetensors.ts";

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

  const refused = (call: () => unknown, message: RegExp) => {
    expect(call).toThrow(message);
    try {
      call();
    } catch (error) {
      expect(KernelError.isInstance(error) && error.code).toBe("invalid-argument");
    }
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

    test("agree with the definition on random vectors, ties, lists and removed rows, whatever scans and however many", () => {
      fc.assert(
        fc.property(
          searchCases(),
          fc.constantFrom(...ways),
          fc.constantFrom(...combinations),
          (search, way, combine) => {
            const { dimensions, vectors, queries, k, allow, exclude, removed } = search;
            const index = new VectorIndex({ dimensions, vectors, kernels, ...way });
            index.remove(removed);
            const got = index.search(queries, k, { combine, exclude, ...(allow === undefined ? {} : { allow }) });
            const expected = defined(search, combine);
            expect([...got.ids]).toEqual(expected.map(([id]) => id));
            expect([...got.scores]).toEqual(expected.map(([, score]) => score));
            index.dispose();
          },
        ),
        { numRuns: 300 },
      );
    });

    test("by cosine are the same to the last bit, whatever scans and however many", () => {
      fc.assert(
        fc.property(searchCases(), fc.constantFrom(...combinations), ({ dimensions, vectors, queries, k }, combine) => {
          const answers = ways.map((way) => {
            using index = new VectorIndex({ dimensions, vectors, similarity: "cosine", kernels, ...way });
            return index.search(queries, k, { combine });
          });
          for (const answer of answers) expect(answer).toEqual(answers[0]);
        }),
        { numRuns: 100 },
      );
    });

    test("of a scan that threads share are those of one thread", () => {
      const vectors = Float32Array.from({ length: 5000 * 200 }, noise(1));
      const queries = Float32Array.from({ length: 3 * 200 }, noise(2));
      for (const combine of combinations) {
        const answers = ways.map((way) => {
          using index = new VectorIndex({ dimensions: 200, vectors, kernels, ...way });
          return [1, 2, 3].map((round) => index.search(queries, 20 * round, { combine }));
        });
        for (const answer of answers) expect(answer).toEqual(answers[0]);
      }
    });

    test("leave out the excluded rows, also those that are allowed", () => {
      const index = open(1, [5, 4, 3, 2, 1]);
      const exclude = Uint32Array.of(0, 2, 0);
      expect([...index.search(Float32Array.of(1), 2, { exclude }).ids]).toEqual([1, 3]);
      expect(index.search(Float32Array.of(1), 9, { exclude })).toEqual({
        ids: Uint32Array.of(1, 3, 4),
        scores: Float32Array.of(4, 2, 1),
        count: 3,
      });
      const allow = Uint32Array.of(0, 1, 1, 4);
      expect([...index.search(Float32Array.of(1, -1), 9, { allow, exclude }).ids]).toEqual([1, 4, 4, 1]);
      expect(index.search(Float32Array.of(1), 9, { allow: exclude, exclude }).count).toBe(0);
    });

    test("for several queries together have the greatest score that one of them gives", () => {
      // Row 0: max(1, 0) = 1; row 1: max(0, 3) = 3; row 2: max(−1, −1) = −1; row 3: max(2, 2) = 2.
      const index = open(2, [1, 0, 0, 3, -1, -1, 2, 2]);
      const anchors = Float32Array.of(1, 0, 0, 1);
      expect(index.search(anchors, 3, { combine: "maximum" })).toEqual({
        ids: Uint32Array.of(1, 3, 0),
        scores: Float32Array.of(3, 2, 1),
        count: 3,
      });
      const exclude = Uint32Array.of(1, 3);
      expect([...index.search(anchors, 9, { combine: "maximum", exclude }).scores]).toEqual([1, -1]);
      expect(index.search(new Float32Array(0), 2, { combine: "maximum" }).ids).toHaveLength(0);
      expect(index.search(anchors, 0, { combine: "maximum" }).count).toBe(0);
    });

    test("for more queries together than fit one block count every one of them", () => {
      // Row i is the i-th unit vector; anchor j is (j + 1) times the j-th, so that row i scores i + 1.
      const unit = (i: number, length: number) => Array.from({ length: 37 }, (_, j) => (i === j ? length : 0));
      const index = open(37, Array.from({ length: 37 }, (_, i) => unit(i, 1)).flat());
      const anchors = Float32Array.from(Array.from({ length: 37 }, (_, j) => unit(j, j + 1)).flat());
      expect([...index.search(anchors, 3, { combine: "maximum" }).ids]).toEqual([36, 35, 34]);
    });
  });

  describe("changes", () => {
    const query = Float32Array.of(1);

    test("give new rows the next ordinals, and keep the others' when rows go", () => {
      const index = open(1, [1, 2]);
      expect(index.add(Float32Array.of(7, 3))).toBe(2);
      expect(index.add(new Float32Array(0))).toBe(4);
      expect({ rows: index.rows, size: index.size }).toEqual({ rows: 4, size: 4 });
      index.remove(Uint32Array.of(2, 0, 2));
      index.remove(Uint32Array.of(2));
      expect({ rows: index.rows, size: index.size }).toEqual({ rows: 4, size: 2 });
      expect([...index.search(query, 9).ids]).toEqual([3, 1]);
      expect([...index.search(query, 9, { allow: Uint32Array.of(0, 1) }).ids]).toEqual([1]);
      expect(index.add(Float32Array.of(9))).toBe(4);
      index.replace(Uint32Array.of(2, 3), Float32Array.of(-5, 5));
      expect(index.search(query, 9)).toEqual({
        ids: Uint32Array.of(4, 3, 1, 2),
        scores: Float32Array.of(9, 5, 2, -5),
        count: 4,
      });
    });

    test("of one ordinal twice in one call leave the last vector", () => {
      const index = open(1, [1, 2]);
      index.replace(Uint32Array.of(0, 0), Float32Array.of(8, 3));
      expect([...index.search(query, 1).scores]).toEqual([3]);
    });

    test("one by one, by the thousand, end as if made at once", () => {
      const numbers = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 3001);
      const index = open(1, []);
      for (const number of numbers) index.add(Float32Array.of(number));
      expect(index.search(query, 50)).toEqual(open(1, numbers).search(query, 50));
    });

    test("that leave no row leave no answer", () => {
      const index = open(1, [1, 2]);
      index.remove(Uint32Array.of(0, 1));
      expect(index.search(query, 3)).toEqual({ ids: new Uint32Array(0), scores: new Float32Array(0), count: 0 });
    });

    test("divide new rows by their lengths for the cosine", () => {
      const index = open(2, [1, 0], "cosine");
      index.add(Float32Array.of(3, 4));
      index.replace(Uint32Array.of(0), Float32Array.of(0, 9));
      expect([...index.search(Float32Array.of(0, 1), 2).scores]).toEqual([1, Math.fround(0.8)]);
    });

    test("that are refused leave the index as it was", () => {
      const index = open(2, [1, 0, 0, 1]);
      const before = index.search(Float32Array.of(2, 1), 9);
      const bad = (value: unknown) => value as never;
      refused(() => index.add(Float32Array.of(1, 1, Number.NaN, 0)), /^vectors: the number at position 2 is NaN or/);
      refused(() => index.add(Float32Array.of(0, 0, 4e18, 4e18)), /^vectors: vector 1 is longer than 2\^62/);
      refused(() => index.add(Float32Array.of(1)), /^vectors: expected a length that is a multiple of the 2 dim/);
      refused(() => index.add(bad([1, 1])), /^vectors: expected a Float32Array, got an array/);
      refused(
        () => index.replace(Uint32Array.of(2), Float32Array.of(1, 1)),
        /^ordinals: ordinal 2 names no row; there are/,
      );
      refused(
        () => index.replace(Uint32Array.of(0), new Float32Array(4)),
        /^vectors: expected 1 ordinals × 2 dim.*got 4/,
      );
      refused(() => index.replace(Uint32Array.of(0, 1), Float32Array.of(5, 5, Infinity, 0)), /^vectors: the number at/);
      refused(() => index.replace(bad([0]), Float32Array.of(1, 1)), /^ordinals: expected a Uint32Array, got an array/);
      refused(() => index.remove(Uint32Array.of(0, 2)), /^ordinals: ordinal 2 names no row; there are 2 rows/);
      refused(() => index.remove(bad(undefined)), /^ordinals: expected a Uint32Array, got undefined/);
      expect(index.search(Float32Array.of(2, 1), 9)).toEqual(before);
      expect({ rows: index.rows, size: index.size }).toEqual({ rows: 2, size: 2 });
    });
  });

  describe("a file", () => {
    let folder = "";
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "setwise-vector-index-"));
    });
    afterAll(() => rm(folder, { recursive: true }));
    const maps = [{}, { memoryMap: true }] as const;

    test("gives back the same answers, mapped or read, also of changed and removed rows and by cosine", async () => {
      const path = join(folder, "same");
      const vectors = (dimensions: number) => Float32Array.from({ length: 50 * dimensions }, noise(1));
      for (const dimensions of [3, 32]) {
        const one = vectors(dimensions).slice(0, dimensions);
        const queries = Float32Array.from({ length: 2 * dimensions }, noise(2));
        for (const similarity of ["inner-product", "cosine"] as const) {
          for (const precision of ["float32", "int8"] as const) {
            for (const options of maps) {
              using index = new VectorIndex({
                dimensions,
                vectors: vectors(dimensions),
                similarity,
                precision,
                kernels,
              });
              index.remove(Uint32Array.of(49, 7));
              index.replace(Uint32Array.of(3), one);
              await index.save(path);
              using loaded = await VectorIndex.load(path, { kernels, threads: 2, ...options });
              expect(facts(loaded)).toEqual({ rows: 50, size: 48, dimensions, similarity, precision });
              expect(loaded.search(queries, 60)).toEqual(index.search(queries, 60));
              // The place of a removed row takes a new one, in memory: the file stays.
              for (const changed of [loaded, index]) {
                changed.replace(Uint32Array.of(7), one);
                changed.remove(Uint32Array.of(0));
                expect(changed.add(one)).toBe(50);
              }
              expect(loaded.search(queries, 60)).toEqual(index.search(queries, 60));
            }
          }
        }
      }
    });

    test("may hold no row", async () => {
      const path = join(folder, "empty");
      await open(16, []).save(path);
      for (const options of maps) {
        const index = await VectorIndex.load(path, { kernels, ...options });
        expect(index.search(new Float32Array(16), 3).count).toBe(0);
        expect(index.add(new Float32Array(16))).toBe(0);
      }
    });

    test("that is mapped stays what it was when the index is saved to its path again", async () => {
      const path = join(folder, "again");
      const index = open(
        16,
        Array.from({ length: 160 }, (_, i) => i),
      );
      await index.save(path);
      const mapped = await VectorIndex.load(path, { kernels, memoryMap: true });
      const query = new Float32Array(16).fill(1);
      const before = mapped.search(query, 5);
      index.replace(Uint32Array.of(0), new Float32Array(16).fill(1e6));
      await index.save(path);
      expect(mapped.search(query, 5)).toEqual(before);
      await mapped.save(path);
      expect((await VectorIndex.load(path, { kernels, precision: "int8" })).search(query, 5)).toEqual(before);
    });

    test("that is no vector index is refused, and one that cannot be had", async () => {
      const path = join(folder, "bad");
      const kind = { format: "setwise-vector-index", version: 1 };
      const metadata = { similarity: "cosine", precision: "int8" };
      const tensor = (name: string, shape: readonly number[], type: TensorType = "F32", fill = 0): Tensor => ({
        name,
        type,
        shape,
        blocks: () => [
          (type === "U32" ? new Uint32Array(shape[0]!) : new Float32Array(shape.reduce((x, y) => x * y, 1))).fill(fill),
        ],
      });
      const refusedFile = async (code: string, content: Partial<SafetensorsContent>, message: RegExp) => {
        await writeSafetensors(path, { ...kind, metadata, tensors: [tensor("vectors", [2, 16])], ...content });
        for (const options of maps) {
          const error = await VectorIndex.load(path, { kernels, ...options }).catch((reason: unknown) => reason);
          expect(KernelError.isInstance(error) && `${error.code}: ${error.message}`).toMatch(message);
          expect(error).toMatchObject({ code });
        }
      };
      const corrupt = (content: Partial<SafetensorsContent>, message: RegExp) =>
        refusedFile("corrupt-file", content, message);
      await refusedFile("unsupported-version", { version: 2 }, /version 2 of its format, .* reads up to 1; update it/);
      await corrupt({ format: "other" }, /no setwise-vector-index file/);
      await corrupt({ tensors: [] }, /no tensor "vectors" of rows × 1 to 65,536 float32 numbers/);
      await corrupt({ tensors: [tensor("vectors", [2])] }, /no tensor "vectors"/);
      await corrupt({ tensors: [tensor("vectors", [2, 0])] }, /no tensor "vectors"/);
      await corrupt({ tensors: [tensor("vectors", [0, 70_000])] }, /no tensor "vectors"/);
      await corrupt({ tensors: [tensor("vectors", [2 ** 40, 0])] }, /no tensor "vectors"/);
      await corrupt({ tensors: [tensor("vectors", [2, 16], "I32")] }, /no tensor "vectors"/);
      await corrupt(
        { metadata: { ...metadata, similarity: "euclid" } },
        /similarity "euclid", not inner-product or cos/,
      );
      await corrupt({ metadata: { similarity: "cosine" } }, /precision null, not float32 or int8/);
      await corrupt(
        { tensors: [tensor("vectors", [2, 16], "F32", Number.NaN)] },
        /numbers that no index has.*position 0/,
      );
      await corrupt(
        { tensors: [tensor("vectors", [2, 16], "F32", 1e30)] },
        /numbers that no index has.*vector 0 is long/,
      );
      const vectors = tensor("vectors", [2, 16]);
      await corrupt({ tensors: [vectors, tensor("removed", [1], "U32", 2)] }, /no index has.*ordinal 2 names no row/);
      await corrupt({ tensors: [vectors, tensor("removed", [1])] }, /"removed" that is no list of ordinals/);
      const absent = await VectorIndex.load(join(folder, "absent"), { kernels }).catch((reason: unknown) => reason);
      expect(absent).toMatchObject({ code: "unreadable-source" });
      await expect(open(1, [1]).save(join(folder, "no", "where"))).rejects.toMatchObject({ code: "unwritable-target" });
    });

    test("is not written of an index that changes meanwhile, or was disposed", async () => {
      const path = join(folder, "torn");
      const index = open(1, [1, 2]);
      const saving = index.save(path);
      index.add(Float32Array.of(3));
      await expect(saving).rejects.toThrow(/^The index was changed while it was saved; save it again/);
      await index.save(path);
      index.dispose();
      await expect(index.save(path)).rejects.toThrow(/^This index was disposed/);
      expect((await VectorIndex.load(path, { kernels })).size).toBe(3);
    });
  });

  describe("refusals", () => {
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
      const exclude = bad([0]);
      refused(() => index.search(Float32Array.of(1), 1, { exclude }), /^exclude: expected a Uint32Array, got an array/);
      const combine = bad("sum");
      refused(() => index.search(Float32Array.of(1), 1, { combine }), /^combine: expected each or maximum, got "sum"/);
      for (const threads of [0, 65, 1.5, Number.NaN, bad("2")]) {
        const vectors = new Float32Array(1);
        refused(
          () => new VectorIndex({ dimensions: 1, vectors, kernels, threads }),
          /^threads: expected an integer from/,
        );
      }
      const precision = bad("int4");
      refused(
        () => new VectorIndex({ dimensions: 1, vectors: new Float32Array(1), kernels, precision }),
        /^precision: expected float32 or int8, got "int4"/,
      );
      refused(() => open(1, [1], bad("euclid")), /^similarity: expected inner-product or cosine, got "euclid"/);
    });

    test("name the ordinal that names no row", () => {
      const index = open(1, [1, 2]);
      refused(() => search(index, [1], 1, [0, 2]), /^allow: ordinal 2 names no row; there are 2 rows/);
      const exclude = Uint32Array.of(0, 7);
      refused(
        () => index.search(Float32Array.of(1), 1, { exclude }),
        /^exclude: ordinal 7 names no row; there are 2 rows/,
      );
    });

    test("come after dispose, which may be called twice", () => {
      const index = open(1, [1]);
      index.dispose();
      index[Symbol.dispose]();
      const vector = Float32Array.of(1);
      const ordinals = Uint32Array.of(0);
      for (const call of [
        () => search(index, [1], 1),
        () => index.add(vector),
        () => index.replace(ordinals, vector),
        () => index.remove(ordinals),
      ]) {
        refused(call, /^This index was disposed; make a new one/);
      }
    });
  });
}

export interface SearchCase {
  readonly dimensions: number;
  readonly vectors: Float32Array;
  readonly queries: Float32Array;
  readonly k: number;
  readonly allow: Uint32Array | undefined;
  readonly exclude: Uint32Array;
  readonly removed: Uint32Array;
}

/** Numbers in −0.5..0.5 from a fixed sequence. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

/** The ways to scan that all give the same answers. */
const ways = [{}, { precision: "int8" }, { threads: 3 }, { precision: "int8", threads: 2 }] as const;
const combinations = ["each", "maximum"] as const;

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
    const ordinals = (maxLength: number) =>
      fc
        .array(fc.nat(Math.max(0, rows - 1)), { maxLength: rows === 0 ? 0 : maxLength })
        .map((list) => Uint32Array.from(list));
    return fc.record({
      dimensions: fc.constant(dimensions),
      vectors: fc
        .tuple(distinct, picks)
        .map(([vectors, picked]) => Float32Array.from(picked.flatMap((pick) => vectors[pick % vectors.length]!))),
      queries: fc.array(vector, { maxLength: 10 }).map((queries) => Float32Array.from(queries.flat())),
      k: fc.integer({ min: 0, max: rows + 2 }),
      allow: fc.option(ordinals(rows), { nil: undefined }),
      exclude: ordinals(4),
      removed: fc.oneof(fc.constant(new Uint32Array(0)), ordinals(rows)),
    });
  });
}

/** What an index says of itself. */
function facts({ rows, size, dimensions, similarity, precision }: VectorIndex): Record<string, unknown> {
  return { rows, size, dimensions, similarity, precision };
}

/** The definition, as plainly as it can be written: every score, sorted. */
function defined(
  { dimensions, vectors, queries, k, allow, exclude, removed }: SearchCase,
  combine: "each" | "maximum",
): [number, number][] {
  const starts = Array.from({ length: queries.length / dimensions }, (_, i) => i * dimensions);
  const groups = combine === "each" ? starts.map((start) => [start]) : starts.length === 0 ? [] : [starts];
  return groups.flatMap((group) => {
    const scored: [number, number][] = [];
    for (let row = 0; row < vectors.length / dimensions; row += 1) {
      if (allow?.includes(row) === false || exclude.includes(row) || removed.includes(row)) continue;
      const scores = group.map((start) => {
        const sums = [0, 0, 0, 0] as [number, number, number, number];
        const query = queries.subarray(start, start + dimensions);
        query.forEach((value, i) => (sums[i % 4]! += value * vectors[row * dimensions + i]!));
        return Math.fround(sums[0] + sums[1] + (sums[2] + sums[3])) + 0;
      });
      scored.push([row, Math.max(...scores)]);
    }
    scored.sort((left, right) => right[1] - left[1] || left[0] - right[0]);
    return scored.slice(0, k);
  });
}
