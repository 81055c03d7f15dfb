import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { embeddingFormat, encodeRecords } from "./embedding-file-format.ts";
import { embeddingFile, type EmbeddingFileOptions } from "./embedding-file.ts";

const options: EmbeddingFileOptions = { encoderName: "encoder", dimensions: 3, maxBytes: 1_000_000, minDeadBytes: 1 };
const format = embeddingFormat("encoder", 3);
// By hand: header 28 + 7 letters of the name; record 4 + 16 + 8 + 3 · 4.
const HEADER = 35;
const RECORD = 40;

const keyOf = (number: number): string => `key ${number}`.padEnd(16, "\xff");
const vectorOf = (number: number): Float32Array => Float32Array.of(number + 0.5, -number, 1 / (number + 1));
const entriesOf = (numbers: readonly number[]) => new Map(numbers.map((number) => [keyOf(number), vectorOf(number)]));
const bytesOf = (numbers: readonly number[]): Buffer =>
  Buffer.concat([format.header, encodeRecords(entriesOf(numbers), format)]);

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-embeddings-"));
  path = join(folder, "cache.setwise");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Which of the numbers a fresh reader finds; every vector found must be right. */
async function numbersIn(file: string, numbers: readonly number[]): Promise<number[]> {
  const found = await embeddingFile(file, options).read(numbers.map(keyOf));
  for (const [key, vector] of found) {
    const number = numbers.find((one) => keyOf(one) === key) ?? Number.NaN;
    expect(vector).toEqual(vectorOf(number));
  }
  return numbers.filter((number) => found.has(keyOf(number)));
}

describe("reading and appending", () => {
  test("what one appends another reads, and the file is as its format says", async () => {
    await embeddingFile(path, options).append(entriesOf([1, 2]));
    expect(await numbersIn(path, [1, 2, 3])).toEqual([1, 2]);
    expect(await readFile(path)).toEqual(bytesOf([1, 2]));
    expect((await readFile(path)).length).toBe(HEADER + 2 * RECORD);
    expect(await readdir(folder)).toEqual(["cache.setwise"]);
  });

  test("a missing file is empty, is not made by reading, and folders are made by appending", async () => {
    const deep = join(folder, "a", "b", "cache.setwise");
    expect(await numbersIn(deep, [1])).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await embeddingFile(deep, options).append(entriesOf([1]));
    expect(await numbersIn(deep, [1])).toEqual([1]);
  });

  test("two who have it open see each other's records and write none twice", async () => {
    const [one, other] = [embeddingFile(path, options), embeddingFile(path, options)];
    await one.append(entriesOf([1]));
    expect([...(await other.read([keyOf(1)])).keys()]).toEqual([keyOf(1)]);
    await other.append(entriesOf([1, 2]));
    expect([...(await one.read([keyOf(1), keyOf(2)])).keys()]).toEqual([keyOf(1), keyOf(2)]);
    expect((await stat(path)).size).toBe(HEADER + 2 * RECORD);
  });

  test("calls at the same time do not disturb each other", async () => {
    const files = [embeddingFile(path, options), embeddingFile(path, options)];
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    await Promise.all(numbers.map((number) => files[number % 2]?.append(entriesOf([number]))));
    expect(await numbersIn(path, numbers)).toEqual(numbers);
  });

  test("a file that is removed or replaced while it is open is read anew", async () => {
    const file = embeddingFile(path, options);
    await file.append(entriesOf([1, 2]));
    await rm(path);
    expect((await file.read([keyOf(1)])).size).toBe(0);
    await file.append(entriesOf([3]));
    expect(await numbersIn(path, [1, 2, 3])).toEqual([3]);
    await writeFile(`${path}.new`, bytesOf([4, 5, 6, 7]));
    await rename(`${path}.new`, path);
    expect([...(await file.read([keyOf(3), keyOf(7)])).keys()]).toEqual([keyOf(7)]);
  });
});

describe("damage", () => {
  const numbers = [0, 1, 2, 3];
  const whole = bytesOf(numbers);
  /** The numbers whose records do not touch the bytes from `start` to before `end`. */
  const untouched = (start: number, end: number): number[] =>
    numbers.filter((number) => {
      const record = HEADER + number * RECORD;
      return record + RECORD <= start || record >= end;
    });

  /** Reads a damaged file, appends everything, and reads it again. */
  async function expectHeals(bytes: Buffer, left: readonly number[]): Promise<void> {
    await writeFile(path, bytes);
    expect(await numbersIn(path, numbers)).toEqual(left);
    await embeddingFile(path, options).append(entriesOf(numbers));
    expect(await numbersIn(path, numbers)).toEqual(numbers);
  }

  test("cut short anywhere, what is before the cut is read, and the rest can be appended", async () => {
    for (let length = 0; length <= whole.length; length++)
      await expectHeals(whole.subarray(0, length), untouched(length, whole.length));
  });

  test("with any byte changed, every other record is read, and that one can be appended", async () => {
    for (let position = 0; position < whole.length; position++) {
      const bytes = Buffer.from(whole);
      bytes[position] = (bytes[position] ?? 0) ^ (1 << (position % 8));
      await expectHeals(bytes, untouched(position, position + 1));
    }
  });

  test("with rubbish between records, all records are read", async () => {
    const rubbish = fc.array(fc.constantFrom(0xe5, 0x53, 0x57, 0xb1, 0, 255), { maxLength: 90 });
    await fc.assert(
      fc.asyncProperty(rubbish, rubbish, fc.nat(RECORD - 1), async (first, second, torn) => {
        const record = (number: number) => encodeRecords(entriesOf([number]), format);
        const parts = [
          record(0),
          Buffer.from(first),
          record(1),
          record(2).subarray(0, torn),
          record(3),
          Buffer.from(second),
        ];
        await writeFile(path, Buffer.concat([format.header, ...parts]));
        expect(await numbersIn(path, numbers)).toEqual([0, 1, 3]);
      }),
      { numRuns: 200 },
    );
  });

  test("whatever is done to the bytes, no vector is wrong", async () => {
    const edit = fc.record({
      at: fc.nat(whole.length),
      remove: fc.nat(60),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
        // A piece of the file itself, so that records are joined wrongly.
        fc.tuple(fc.nat(whole.length), fc.nat(80)).map(([start, length]) => whole.subarray(start, start + length)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let bytes = whole;
        for (const { at, remove, insert } of edits)
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
        await writeFile(path, bytes);
        // `numbersIn` checks each vector; a file of which nothing is left may be refused.
        const outcome = await numbersIn(path, numbers).catch((error: { code?: string }) => error.code);
        if (!Array.isArray(outcome)) expect(outcome).toBe("corrupt-file");
      }),
      { numRuns: 500 },
    );
  });

  test("a record damaged after it was read once is not believed the second time", async () => {
    const file = embeddingFile(path, options);
    await file.append(entriesOf(numbers));
    expect((await file.read(numbers.map(keyOf))).size).toBe(4);
    const bytes = Buffer.from(whole);
    bytes.fill(7, HEADER + RECORD + 30, HEADER + RECORD + 33);
    await writeFile(path, bytes);
    expect([...(await file.read(numbers.map(keyOf))).keys()]).toEqual([0, 2, 3].map(keyOf));
  });

  test("a record that is still being written is read when it is whole", async () => {
    const file = embeddingFile(path, options);
    await writeFile(path, whole.subarray(0, HEADER + RECORD + 13));
    expect((await file.read(numbers.map(keyOf))).size).toBe(1);
    await appendFile(path, whole.subarray(HEADER + RECORD + 13));
    expect((await file.read(numbers.map(keyOf))).size).toBe(4);
  });
});

describe("files that are refused", () => {
  const refusal = (bytes: Buffer | string) =>
    writeFile(path, bytes)
      .then(() => embeddingFile(path, options).append(entriesOf([1])))
      .then(
        () => "accepted",
        (error: { code: string; message: string }) => error,
      );

  test("another encoder's, with both named, and it stays as it is", async () => {
    await embeddingFile(path, { ...options, encoderName: "another" }).append(entriesOf([1]));
    const before = await readFile(path);
    expect(await refusal(before)).toMatchObject({ code: "invalid-argument", message: /"another" \(3 dimensions\)/ });
    const wider = embeddingFile(path, { ...options, encoderName: "another", dimensions: 4 });
    await expect(wider.read([keyOf(1)])).rejects.toMatchObject({ code: "invalid-argument" });
    expect(await readFile(path)).toEqual(before);
  });

  test("a later version's", async () => {
    const { createHash } = await import("node:crypto");
    const bytes = bytesOf([1]);
    bytes.writeUInt32LE(2, 8);
    const checked = Buffer.concat([bytes.subarray(8, 20), bytes.subarray(28, HEADER)]);
    createHash("sha256").update(checked).digest().copy(bytes, 20, 0, 8);
    expect(await refusal(bytes)).toMatchObject({ code: "unsupported-version" });
  });

  test("what is no file of embeddings, which stays as it is", async () => {
    for (const text of ["# Notes\n", "x".repeat(5000), "SWEMBED?"]) {
      expect(await refusal(text)).toMatchObject({ code: "corrupt-file" });
      expect(await readFile(path, "utf8")).toBe(text);
    }
  });

  test("a folder, which is no file at all", async () => {
    await mkdir(path);
    await expect(embeddingFile(path, options).append(entriesOf([1]))).rejects.toMatchObject({
      code: "unwritable-target",
      message: /no regular file/,
    });
  });

  test("a place where nothing can be written", async () => {
    await writeFile(path, "");
    const below = embeddingFile(join(path, "cache"), options);
    await expect(below.append(entriesOf([1]))).rejects.toMatchObject({ code: "unwritable-target" });
  });
});

describe("compaction", () => {
  const numbers = Array.from({ length: 50 }, (_, number) => number);

  test("removes dead bytes when they outweigh the living", async () => {
    const pair = encodeRecords(entriesOf([1, 2]), format);
    await writeFile(path, Buffer.concat([format.header, pair, pair, pair]));
    await embeddingFile(path, options).append(entriesOf([3]));
    expect(await numbersIn(path, [1, 2, 3])).toEqual([1, 2, 3]);
    expect((await stat(path)).size).toBe(HEADER + 3 * RECORD);
    expect(await readdir(folder)).toEqual(["cache.setwise"]);
  });

  test("lets a small number of dead bytes be", async () => {
    const bytes = Buffer.concat([bytesOf([1]), bytesOf([2, 1, 2, 1])]);
    await writeFile(path, bytes);
    await embeddingFile(path, { encoderName: "encoder", dimensions: 3, maxBytes: 1_000_000 }).append(entriesOf([3]));
    expect((await stat(path)).size).toBe(bytes.length + RECORD);
  });

  test("beyond the bound the oldest go, and the bound holds up to one append", async () => {
    const maxBytes = HEADER + 20 * RECORD;
    const file = embeddingFile(path, { ...options, maxBytes });
    for (const number of numbers) {
      await file.append(entriesOf([number]));
      expect((await stat(path)).size).toBeLessThanOrEqual(maxBytes + RECORD);
    }
    const left = await numbersIn(path, numbers);
    expect(left.length).toBeGreaterThanOrEqual(14);
    expect(left).toEqual(numbers.slice(-left.length));
  });

  test("what another appended to the old file is taken over", async () => {
    // As a process leaves it that was killed in the middle: the old file moved away, the new one in place or not yet.
    const old = `${path}.0123456789ab.old`;
    for (const isInPlace of [true, false]) {
      await writeFile(old, bytesOf([1, 2, 3]));
      await rm(path, { force: true });
      if (isInPlace) await writeFile(path, bytesOf([1, 4]));
      expect(await numbersIn(path, [1, 2, 3, 4])).toEqual(isInPlace ? [1, 2, 3, 4] : [1, 2, 3]);
      expect(await readdir(folder)).toEqual(["cache.setwise"]);
    }
  });

  test("another encoder's old file is left to that encoder", async () => {
    const old = `${path}.0123456789ab.old`;
    await embeddingFile(old, { ...options, encoderName: "another" }).append(entriesOf([1]));
    expect(await numbersIn(path, [1])).toEqual([]);
    expect(await readdir(folder)).toEqual(["cache.setwise.0123456789ab.old"]);
  });

  test("what a killed process had begun to write aside is removed after an hour", async () => {
    await writeFile(path, bytesOf([1]));
    for (const name of ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]) await copyFile(path, `${path}.${name}.part`);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(`${path}.aaaaaaaaaaaa.part`, longAgo, longAgo);
    expect(await numbersIn(path, [1])).toEqual([1]);
    expect(await readdir(folder)).toEqual(["cache.setwise", "cache.setwise.bbbbbbbbbbbb.part"]);
  });

  test("another who has the file open goes on with the new one", async () => {
    const [one, other] = [embeddingFile(path, options), embeddingFile(path, options)];
    await one.append(entriesOf([1]));
    await other.read([keyOf(1)]);
    await appendFile(path, Buffer.alloc(5 * RECORD));
    await one.append(entriesOf([2]));
    expect((await stat(path)).size).toBe(HEADER + 2 * RECORD);
    await other.append(entriesOf([3]));
    expect([...(await other.read([1, 2, 3].map(keyOf))).keys()].toSorted()).toEqual([1, 2, 3].map(keyOf));
    expect(await numbersIn(path, [1, 2, 3])).toEqual([1, 2, 3]);
  });
});
