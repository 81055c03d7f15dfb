import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KernelError } from "./errors.ts";
import { HypergraphModel } from "./hypergraph-model.ts";
import { openSafetensors } from "./safetensors.ts";
import { VectorIndex } from "./vector-index.ts";
import { writeSafetensors } from "./write-safetensors.ts";

const kind = { format: "test-numbers", version: 2 };
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-safetensors-"));
});
afterAll(() => rm(folder, { recursive: true }));

const halves = Float32Array.of(0.5, -1.5, 2.5, 3.5, 4.5, 5.5);
const counts = Uint32Array.of(7, 8);
const tensors = [
  { name: "halves", type: "F32", shape: [2, 3], blocks: () => [halves.subarray(0, 2), halves.subarray(2)] },
  { name: "counts", type: "U32", shape: [2], blocks: () => [counts] },
  { name: "none", type: "F64", shape: [0, 5], blocks: () => [] },
] as const;

/** A file whose header is `header` and whose tensors are `data`, as anybody might write it. */
async function written(header: unknown, data: Uint8Array = new Uint8Array(0)): Promise<string> {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
  const path = join(folder, "written");
  await writeFile(path, Buffer.concat([length, text, data]));
  return path;
}

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!KernelError.isInstance(error)) throw new Error(`no KernelError: ${String(error)}`);
  return `${error.code}: ${error.message}`;
}

const read = async (path: string, targets: readonly (readonly [string, ArrayBufferView])[] = []): Promise<void> => {
  const file = await openSafetensors(path, kind);
  try {
    await file.read(new Map(targets));
  } finally {
    await file.close();
  }
};

test("what was written is read, and stands in the file as the format says", async () => {
  const path = join(folder, "good");
  await writeSafetensors(path, { ...kind, metadata: { note: "é" }, tensors });
  const bytes = await readFile(path);
  const length = Number(bytes.readBigUInt64LE(0));
  expect((8 + length) % 64).toBe(0);
  const { sha256 } = JSON.parse(bytes.toString("utf8", 8, 8 + length)).__metadata__;
  const unsigned = Buffer.from(bytes.toString("latin1").replace(sha256, "0".repeat(64)), "latin1");
  expect(sha256).toBe(createHash("sha256").update(unsigned).digest("hex"));
  expect(JSON.parse(bytes.toString("utf8", 8, 8 + length))).toEqual({
    __metadata__: {
      format: "test-numbers",
      version: "2",
      note: "é",
      sha256,
    },
    halves: { dtype: "F32", shape: [2, 3], data_offsets: [0, 24] },
    counts: { dtype: "U32", shape: [2], data_offsets: [24, 32] },
    none: { dtype: "F64", shape: [0, 5], data_offsets: [32, 32] },
  });
  expect(bytes.readFloatLE(8 + length + 4)).toBe(-1.5);

  const file = await openSafetensors(path, { ...kind, version: 3 });
  expect(file.metadata.get("note")).toBe("é");
  expect(file.tensors.get("counts")).toEqual({ type: "U32", shape: [2], start: 8 + length + 24, bytes: 8 });
  const [first, second] = [new Float32Array(6), new Uint32Array(2)];
  await file.read(
    new Map<string, ArrayBufferView>([
      ["halves", first],
      ["counts", second],
    ]),
  );
  await file.close();
  expect([first, second]).toEqual([halves, counts]);
});

test("a file larger than one block is read whole", async () => {
  const path = join(folder, "large");
  const numbers = Float64Array.from({ length: 700_001 }, (_, i) => i);
  const tensor = { name: "numbers", type: "F64", shape: [700_001], blocks: () => [numbers] } as const;
  await writeSafetensors(path, { ...kind, tensors: [tensor] });
  const target = new Float64Array(700_001);
  await read(path, [["numbers", target]]);
  expect(target.every((number, i) => number === i)).toBe(true);
});

describe("a file is refused that", () => {
  test("is not there or cannot be written", async () => {
    expect(await refusal(read(join(folder, "absent")))).toMatch(
      /^unreadable-source: .*absent cannot be opened \(ENOENT/,
    );
    expect(await refusal(read(folder))).toMatch(/^unreadable-source: .* is a directory, not a regular file/);
    const nowhere = join(folder, "no", "folder");
    expect(await refusal(writeSafetensors(nowhere, { ...kind, tensors }))).toMatch(
      /^unwritable-target: .* cannot be wri/,
    );
  });

  test("was cut short or changed, at any byte", async () => {
    const path = join(folder, "changed");
    await writeSafetensors(path, { ...kind, tensors });
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, by, cut) => {
          const bytes = cut
            ? whole.subarray(0, at)
            : Uint8Array.from(whole, (byte, i) => (i === at ? byte ^ by : byte));
          await writeFile(path, bytes);
          expect(await refusal(read(path))).toMatch(/^(corrupt-file|unsupported-version): /);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("is of another kind or version", async () => {
    const path = join(folder, "other");
    await writeSafetensors(path, { format: "else", version: 1, tensors });
    expect(await refusal(read(path))).toMatch(/^corrupt-file: .* is no test-numbers file \(its format is "else"\)/);
    await writeSafetensors(path, { ...kind, version: 3, tensors });
    expect(await refusal(read(path))).toMatch(/^unsupported-version: .* by version 3 .* reads up to 2; update it/);
    for (const version of ["", "0", "-1", "1.5", "1e9", "9999999999"]) {
      const metadata = { format: kind.format, version };
      expect(await refusal(read(await written({ __metadata__: metadata })))).toMatch(
        /^corrupt-file: .* names no version/,
      );
    }
    expect(await refusal(read(await written({})))).toMatch(/^corrupt-file: .* \(its format is null\)/);
  });

  test("has an array of another size than the reader's", async () => {
    const path = join(folder, "sizes");
    await writeSafetensors(path, { ...kind, tensors });
    expect(await refusal(read(path, [["halves", new Float32Array(5)]]))).toMatch(
      /^corrupt-file: .* 24 bytes .* not 20/,
    );
  });

  test("has a hostile header", async () => {
    const place = (dtype: unknown, shape: unknown, offsets: unknown) => ({
      x: { dtype, shape, data_offsets: offsets },
    });
    const eight = new Uint8Array(8);
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    for (const header of [
      "",
      "x",
      "[]",
      "null",
      "1",
      "{",
      `{"x":${deep}}`,
      deep,
      "\u0000\u0000",
      { x: 1 },
      { x: null },
      { x: [] },
      { __metadata__: [] },
      { __metadata__: { format: 1 } },
      place("F31", [2], [0, 8]),
      place("toString", [2], [0, 8]),
      place(["F32"], [2], [0, 8]),
      place("F32", [3], [0, 8]),
      place("F32", [2], [0, 4]),
      place("F32", [2], [8, 0]),
      place("F32", [2], [4, 12]),
      place("F32", [2], [-8, 0]),
      place("F32", [1], [4, 8]),
      place("F32", [-1, -2], [0, 8]),
      place("F32", [0.5, 4], [0, 8]),
      place("F32", [2 ** 40, 2 ** 40], [0, 8]),
      place("F32", [2 ** 53], [0, 8]),
      place("F32", [2], [0, 8, 8]),
      place("F32", [2], "08"),
      place("F32", "2", [0, 8]),
      place(
        "F32",
        Array.from({ length: 9 }, () => 1),
        [0, 4],
      ),
      { ...place("F32", [2], [0, 8]), y: { dtype: "F32", shape: [1], data_offsets: [4, 8] } },
      Object.fromEntries(Array.from({ length: 65_537 }, (_, i) => [`t${i}`, { dtype: "F32", shape: [0] }])),
      `{"__proto__":{"dtype":"F32","shape":[2],"data_offsets":[0,9]}}`,
    ]) {
      expect(await refusal(read(await written(header, eight)))).toMatch(/^corrupt-file: /);
    }
    const path = join(folder, "prefix");
    for (const prefix of [
      [],
      [1],
      [0, 0, 0, 0, 0, 0, 0, 0],
      Array.from({ length: 8 }, () => 255),
      [1, 0, 0, 0, 0, 0, 0, 64],
    ]) {
      await writeFile(path, Uint8Array.from([...prefix, 123, 125]));
      expect(await refusal(read(path))).toMatch(/^corrupt-file: /);
    }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await writeFile(path, bytes);
        expect(await refusal(read(path))).toMatch(/^corrupt-file: /);
      }),
      { numRuns: 100 },
    );
  });
});

test.skipIf(process.platform === "win32")("a pipe is not replaced by a file", async () => {
  const pipe = join(folder, "target");
  execFileSync("mkfifo", [pipe]);
  const index = new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1) });
  expect(await refusal(index.save(pipe))).toBe(
    `unwritable-target: ${pipe} is a device, a pipe or a socket, not a file.`,
  );
  expect((await stat(pipe)).isFIFO()).toBe(true);
  index.dispose();
});

test.skipIf(process.platform === "win32")("a pipe and a device are refused, not waited for", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(await refusal(read(pipe))).toBe(`unreadable-source: ${pipe} is a pipe, not a regular file.`);
  expect(await refusal(VectorIndex.load(pipe))).toMatch(/is a pipe/);
  expect(await refusal(HypergraphModel.load(pipe))).toMatch(/is a pipe/);
  expect(await refusal(read("/dev/zero"))).toBe("unreadable-source: /dev/zero is a device, not a regular file.");
});

test("a failed writing leaves the old file and nothing beside it", async () => {
  const place = join(folder, "kept");
  await writeSafetensors(place, { ...kind, tensors });
  const before = await readFile(place);
  const failing = {
    ...tensors[0],
    *blocks(): Iterable<ArrayBufferView> {
      yield halves;
      throw new Error("halfway");
    },
  };
  await expect(writeSafetensors(place, { ...kind, tensors: [failing] })).rejects.toThrow("halfway");
  const short = { ...tensors[1], shape: [3] };
  expect(await refusal(writeSafetensors(place, { ...kind, tensors: [short] }))).toMatch(
    /^internal: .* 8 bytes of "counts"/,
  );
  expect(await readFile(place)).toEqual(before);
  expect((await readdir(folder)).filter((name) => name.startsWith("kept"))).toEqual(["kept"]);
});
