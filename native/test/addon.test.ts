import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { describeAddonFailure } from "../src/describe-addon-failure.ts";
import { loadAddon } from "../src/load-addon.ts";
import type { Similarity } from "../src/index.ts";
import { builtAddon } from "./implementations.ts";

const search = loadAddon();
const addon = search.addon!;

test("the addon has a level for every processor of its kind", ({ skip }) => {
  if (search.addon === undefined) skip(describeAddonFailure(search));
  expect(addon.simdLevels().at(-1)).toBe("scalar");
});

describe.skipIf(search.addon === undefined)("the addon behind the face", () => {
  const columns = (length: number): [Uint32Array, Float32Array] => [new Uint32Array(length), new Float32Array(length)];
  const refusal = (call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  const create = (dimensions: number, vectors: Float32Array, similarity: Similarity = "cosine", simd = "scalar") =>
    addon.createVectorIndex(dimensions, vectors, similarity, "float32", 1, false, simd as "scalar");

  test("checks every length itself", () => {
    const index = create(2, Float32Array.of(1, 0, 0, 1));
    const query = Float32Array.of(1, 1);
    const search = (
      queries: Float32Array,
      k: number,
      allow: Uint32Array | undefined,
      ids: Uint32Array,
      scores: Float32Array,
    ) => index.search(queries, k, false, allow, undefined, ids, scores);
    expect(search(query, 2, undefined, ...columns(2))).toBe(2);
    expect(refusal(() => search(query, 2, undefined, ...columns(1)))).toBe("invalid-argument");
    expect(refusal(() => search(query, 2, undefined, new Uint32Array(2), new Float32Array(1)))).toBe(
      "invalid-argument",
    );
    expect(refusal(() => search(query.subarray(1), 1, undefined, ...columns(1)))).toBe("invalid-argument");
    expect(refusal(() => search(query, 1, Uint32Array.of(2), ...columns(1)))).toBe("invalid-argument");
    expect(refusal(() => index.search(query, 1, true, undefined, Uint32Array.of(2), ...columns(1)))).toBe(
      "invalid-argument",
    );
    for (const call of [
      () => index.add(query.subarray(1)),
      () => index.replace(Uint32Array.of(0), Float32Array.of(1)),
      () => index.replace(Uint32Array.of(2), query),
      () => index.remove(Uint32Array.of(2)),
      () => index.readRows(1, new Float32Array(4)),
      () => index.readRows(0, new Float32Array(3)),
      () => index.readRows(9, new Float32Array(2)),
      () => index.readRemoved(new Uint32Array(1)),
      () => create(0, query),
      () => create(3, query),
      () => create(2, query, "euclid" as "cosine"),
      () => create(2, query, "cosine", "none"),
      () => addon.createVectorIndex(2, query, "cosine", "int4" as "int8", 1, false, "scalar"),
    ]) {
      expect(refusal(call)).toBe("invalid-argument");
    }
    expect(search(query, 2, undefined, ...columns(2))).toBe(2);
  });

  test("maps no file that is not there, too short or begins askew", () => {
    const map = (path: string, start: number, rows: number) => () =>
      addon.mapVectorIndex(path, start, rows, 16, "cosine", "float32", 1, "scalar");
    const file = fileURLToPath(import.meta.url);
    for (const call of [map(`${file}.absent`, 0, 1), map(file, 0, 1_000_000), map(file, 4, 1), map(file, 2 ** 53, 1)]) {
      expect(refusal(call)).toBe("unreadable-source");
    }
  });

  test("refuses every call after dispose", () => {
    const index = create(1, Float32Array.of(1));
    index.dispose();
    index.dispose();
    for (const call of [
      () => index.search(Float32Array.of(1), 1, false, undefined, undefined, ...columns(1)),
      () => index.add(Float32Array.of(1)),
      () => index.replace(Uint32Array.of(0), Float32Array.of(1)),
      () => index.remove(Uint32Array.of(0)),
      () => index.readRows(0, new Float32Array(1)),
      () => index.readRemoved(new Uint32Array(0)),
    ]) {
      expect(refusal(call)).toBe("invalid-argument");
    }
  });

  test("leaves no thread behind, whether an index is disposed, dropped or still there when the process ends", ({
    skip,
  }) => {
    const file = builtAddon();
    if (file === undefined || process.platform !== "linux") skip("counts threads by /proc, of the built addon");
    const script = `
      const { readdirSync } = require("node:fs");
      const { Worker } = require("node:worker_threads");
      const addon = require(process.argv[1]);
      const threads = () => readdirSync("/proc/self/task").length;
      const open = () => addon.createVectorIndex(64, new Float32Array(64 * 9000).fill(1), "cosine", "int8", 4, false, "scalar");
      const search = (index) =>
        index.search(new Float32Array(64).fill(1), 1, false, undefined, undefined, new Uint32Array(1), new Float32Array(1));
      const before = threads();
      const index = open();
      search(index);
      const during = threads();
      index.dispose();
      const after = threads();
      const source =
        "const addon = require(require('node:worker_threads').workerData); " +
        "const open = " + open + "; const search = " + search + "; globalThis.kept = open(); search(globalThis.kept);";
      const worker = new Worker(source, { eval: true, workerData: process.argv[1] });
      worker.on("exit", (code) => {
        globalThis.kept = open();
        search(globalThis.kept);
        process.stdout.write(JSON.stringify([during - before, after - before, code]));
      });`;
    const printed = execFileSync(process.execPath, ["-e", script, file!], { encoding: "utf8", timeout: 20_000 });
    expect(JSON.parse(printed)).toEqual([3, 0, 0]);
  });

  test("tells the garbage collector what it holds, so that dropped indexes are freed", ({ skip }) => {
    const file = builtAddon();
    if (file === undefined) skip("needs the file of `npm run build:addon`");
    // In a process of its own, where nothing else gives the collector a reason to run. Each handle is a few bytes for it and
    // 10 MB for the process; when that was not reported, none of the 40 was collected.
    const script = `
      const addon = require(process.argv[1]);
      const vectors = new Float32Array(640 * 4096);
      let collected = 0;
      const registry = new FinalizationRegistry(() => (collected += 1));
      (async () => {
        for (let i = 0; i < 40; i += 1) {
          registry.register(addon.createVectorIndex(640, vectors, "cosine", "float32", 1, false, "scalar"));
          await new Promise((resolve) => setImmediate(resolve));
        }
        process.stdout.write(String(collected));
      })();`;
    const collected = Number(execFileSync(process.execPath, ["-e", script, file!], { encoding: "utf8" }));
    expect(collected).toBeGreaterThan(0);
  });
});
