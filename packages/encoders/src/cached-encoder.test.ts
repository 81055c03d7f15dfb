import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "@setwise/core";
import { describeEncoder } from "@setwise/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countingEncoder, expectedVector } from "../test/counting-encoder.ts";
import { embeddingKey } from "./cached-encoder-key.ts";
import { createVectorMemory } from "./cached-encoder-memory.ts";
import { createCachedEncoder } from "./cached-encoder.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-cache-"));
  file = join(folder, "embeddings");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const expected = (texts: readonly string[], as = "document"): Float32Array =>
  Float32Array.from(texts.flatMap((text) => [...expectedVector(text, 8, as)]));
const sorted = (batches: readonly (readonly string[])[]): string[] => batches.flat().toSorted();

describeEncoder("a cached encoder in memory", () => createCachedEncoder(countingEncoder({ dimensions: 32 })));
describeEncoder("a cached encoder with a file", () =>
  createCachedEncoder(countingEncoder({ dimensions: 32 }), { file, maxMemoryBytes: 0, batchTexts: 2 }),
);

describe("what is encoded", () => {
  test("each text once, in batches, and its name and dimensions are the encoder's", async () => {
    const inner = countingEncoder();
    const encoder = createCachedEncoder(inner, { batchTexts: 2 });
    expect([encoder.name, encoder.dimensions]).toEqual([inner.name, inner.dimensions]);
    const texts = ["a", "b", "a", "c", "b"];
    expect(await encoder.encode(texts)).toEqual(expected(texts));
    expect(inner.batches).toEqual([["a", "b"], ["c"]]);
    expect(await encoder.encode(["c", "d"])).toEqual(expected(["c", "d"]));
    expect(inner.batches.slice(2)).toEqual([["d"]]);
  });

  test("a text as a query is another one than as a document", async () => {
    const inner = countingEncoder();
    const encoder = createCachedEncoder(inner, { file });
    expect(await encoder.encode(["a"], { as: "document" })).toEqual(expected(["a"]));
    expect(await encoder.encode(["a"], { as: "query" })).toEqual(expected(["a"], "query"));
    expect(inner.batches).toHaveLength(2);
  });

  test("the next process encodes only what changed", async () => {
    await createCachedEncoder(countingEncoder(), { file }).encode(["a", "b", "c"]);
    const inner = countingEncoder();
    const texts = ["c", "new", "a"];
    expect(await createCachedEncoder(inner, { file }).encode(texts)).toEqual(expected(texts));
    expect(inner.batches).toEqual([["new"]]);
  });

  test("calls at the same time share their work", async () => {
    const inner = countingEncoder({ before: () => new Promise((resolve) => setTimeout(resolve, 5)) });
    const encoder = createCachedEncoder(inner, { file, batchTexts: 2 });
    const lists = [["a", "b", "c", "d"], ["c", "d", "e"], ["a"], ["e", "a"]];
    const results = await Promise.all(lists.map((texts) => encoder.encode(texts)));
    for (const [index, texts] of lists.entries()) expect(results[index]).toEqual(expected(texts));
    expect(sorted(inner.batches)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("when the call it waits for fails, a call encodes the text itself", async () => {
    let failures = 1;
    const inner = countingEncoder({
      before: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (failures-- > 0) throw new Error("out of memory");
      },
    });
    const encoder = createCachedEncoder(inner);
    const [first, second] = await Promise.allSettled([encoder.encode(["a"]), encoder.encode(["a"])]);
    expect(first).toMatchObject({ status: "rejected", reason: { message: "out of memory" } });
    expect(second).toMatchObject({ status: "fulfilled", value: expected(["a"]) });
  });

  test("what was encoded before an error or an abort is kept", async () => {
    const stop = new AbortController();
    const inner = countingEncoder({ before: ([text]) => (text === "c" ? stop.abort() : undefined) });
    const encoder = createCachedEncoder(inner, { file, batchTexts: 1 });
    await expect(encoder.encode(["a", "b", "c", "d"], { signal: stop.signal })).rejects.toMatchObject({
      code: "aborted",
    });
    const next = countingEncoder();
    await createCachedEncoder(next, { file }).encode(["a", "b", "c", "d"]);
    expect(next.batches).toEqual([["d"]]);
  });

  test("a call that waits for another can be stopped alone", async () => {
    let proceed = (): void => undefined;
    const encoder = createCachedEncoder(
      countingEncoder({ before: () => new Promise<void>((resolve) => (proceed = resolve)) }),
    );
    const first = encoder.encode(["a"]);
    const stop = new AbortController();
    const second = encoder.encode(["a"], { signal: stop.signal });
    stop.abort();
    await expect(second).rejects.toMatchObject({ code: "aborted" });
    proceed();
    expect(await first).toEqual(expected(["a"]));
  });

  test("vectors of the wrong number, of another length than 1 or with NaN are an error and are not kept", async () => {
    for (const rows of [new Float32Array(7), new Float32Array(8).fill(1), new Float32Array(8).fill(Number.NaN)]) {
      const broken = { name: "counting", dimensions: 8, encode: async () => rows };
      await expect(createCachedEncoder(broken, { file }).encode(["a"])).rejects.toMatchObject({
        code: "invalid-argument",
      });
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("keys", () => {
  test("differ wherever encoder, side or text differ, lone surrogates included", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "\0", "\ud800", "\udc00", "\ufffd", "é"), maxLength: 4 });
    const name = fc.string({ unit: fc.constantFrom("a", "é", "document"), maxLength: 3 });
    const input = fc.tuple(name, fc.constantFrom("query" as const, "document" as const), part);
    fc.assert(
      fc.property(input, input, (left, right) => {
        expect(embeddingKey(...left) === embeddingKey(...right)).toBe(left.every((value, at) => value === right[at]));
        expect(embeddingKey(...left)).toHaveLength(16);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("memory", () => {
  test("the vector that was not used for the longest time goes first", () => {
    // Room for two: 2 · (4 · 4 + 250) = 532 bytes.
    const memory = createVectorMemory(532, 4);
    for (const key of ["a", "b"]) memory.set(key, new Float32Array(4));
    memory.get("a");
    memory.set("c", new Float32Array(4));
    expect(["a", "b", "c"].map((key) => memory.get(key) !== undefined)).toEqual([true, false, true]);
  });

  test("what has left the memory is read from the file", async () => {
    const inner = countingEncoder();
    const encoder = createCachedEncoder(inner, { file, maxMemoryBytes: 0 });
    await encoder.encode(["a", "b"]);
    expect(await encoder.encode(["b", "a"])).toEqual(expected(["b", "a"]));
    expect(inner.batches).toHaveLength(1);
  });
});

describe("the file", () => {
  test("a folder gets one file for each encoder", async () => {
    for (const path of [folder, join(folder, "made") + "/"])
      for (const name of ["one", "other", "one"])
        await createCachedEncoder(countingEncoder({ name }), { file: path }).encode(["a"]);
    expect((await readdir(folder)).filter((name) => /^embeddings-[0-9a-f]{16}\.setwise$/.test(name))).toHaveLength(2);
    expect(await readdir(join(folder, "made"))).toHaveLength(2);
  });

  test("another encoder's is refused and stays as it is", async () => {
    await createCachedEncoder(countingEncoder({ name: "one" }), { file }).encode(["a"]);
    const before = await readFile(file);
    const other = createCachedEncoder(countingEncoder({ name: "other" }), { file });
    await expect(other.encode(["a"])).rejects.toMatchObject({
      code: "invalid-argument",
      message: /"one".*or a folder/,
    });
    expect(await readFile(file)).toEqual(before);
  });

  test.each([
    ["garbage", Buffer.from("# Notes of something else\n")],
    ["nothing but a beginning", Buffer.from("SWEMBED?")],
  ])(
    "in a folder of the cache's own, %s is left and named in a notice, and texts are encoded all the same",
    async (_, bytes) => {
      await createCachedEncoder(countingEncoder(), { file: `${folder}/` }).encode(["a"]);
      const [name = ""] = await readdir(folder);
      await writeFile(join(folder, name), bytes);
      const problems: Problem[] = [];
      const encoder = createCachedEncoder(countingEncoder(), {
        file: `${folder}/`,
        onProblem: (problem) => problems.push(problem),
      });
      expect(await encoder.encode(["a"])).toEqual(expected(["a"]));
      expect(await encoder.encode(["b"])).toEqual(expected(["b"]));
      expect(problems).toMatchObject([{ code: "cache-unusable", source: join(folder, name) }]);
      expect(problems[0]?.message).toMatch(/Delete it, or name another file\..*Until then/);
      expect(await readFile(join(folder, name))).toEqual(bytes);
    },
  );

  test("damaged in the middle, that text is encoded again and the others are not", async () => {
    const texts = ["a", "b", "c", "d"];
    await createCachedEncoder(countingEncoder(), { file }).encode(texts);
    const bytes = await readFile(file);
    // Records of 28 + 8 · 4 = 60 bytes stand at the end; the second's vector is hit.
    bytes.fill(0xaa, bytes.length - 3 * 60 + 40, bytes.length - 3 * 60 + 50);
    await writeFile(file, bytes);
    const inner = countingEncoder();
    expect(await createCachedEncoder(inner, { file }).encode(texts)).toEqual(expected(texts));
    expect(inner.batches).toEqual([["b"]]);
    const again = countingEncoder();
    await createCachedEncoder(again, { file }).encode(texts);
    expect(again.batches).toEqual([]);
  });

  test("where none can be written, texts are encoded all the same, with one notice", async () => {
    await writeFile(file, "not a folder");
    const problems: Problem[] = [];
    const encoder = createCachedEncoder(countingEncoder(), {
      file: join(file, "embeddings"),
      batchTexts: 1,
      onProblem: (problem) => problems.push(problem),
    });
    expect(await encoder.encode(["a", "b"])).toEqual(expected(["a", "b"]));
    expect(await encoder.encode(["c"])).toEqual(expected(["c"]));
    expect(problems).toMatchObject([{ code: "cache-unusable", source: join(file, "embeddings") }]);
    expect(problems[0]?.message).toMatch(/cannot be (read|written).*Name a file in a folder/);
  });

  test("stays within its bound, and what had to go is encoded again", async () => {
    const maxBytes = 65_536;
    const inner = countingEncoder({ dimensions: 256 });
    const encoder = createCachedEncoder(inner, { file, maxBytes, maxMemoryBytes: 0, batchTexts: 8 });
    const texts = Array.from({ length: 120 }, (_, number) => `t${number}`);
    await encoder.encode(texts);
    // One batch more than the bound: 8 records of 28 + 4 · 256 bytes.
    expect((await stat(file)).size).toBeLessThanOrEqual(maxBytes + 8 * 1052);
    const before = inner.batches.flat().length;
    await encoder.encode(texts.slice(-30));
    expect(inner.batches.flat().length).toBe(before);
    await encoder.encode(texts.slice(0, 1));
    expect(inner.batches.flat().length).toBe(before + 1);
  });
});

test.each([{ maxBytes: 1000 }, { maxBytes: 1e5 + 0.5 }, { maxMemoryBytes: -1 }, { batchTexts: 0 }, { file: "" }])(
  "the options %j are refused",
  (options) => {
    expect(() => createCachedEncoder(countingEncoder(), options)).toThrow(/must be/);
  },
);
