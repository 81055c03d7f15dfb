import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { describeAddonFailure } from "../src/describe-addon-failure.ts";
import { loadAddon } from "../src/load-addon.ts";
import type { Similarity } from "../src/index.ts";
import type { DeficitSearchAddon } from "../src/native/deficit-search.ts";
import { builtAddon } from "./implementations.ts";

type DeficitHandle = ReturnType<DeficitSearchAddon["createDeficitSearch"]>;

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

  /** A call and what is right about its arguments, and for each a value that is not. */
  const refusesEach = (call: (...args: never[]) => unknown, right: readonly unknown[], wrong: readonly unknown[][]) => {
    const run = call as (...args: unknown[]) => unknown;
    expect(() => run(...right)).not.toThrow();
    for (const [argument, values] of wrong.entries()) {
      for (const value of values) {
        const code = refusal(() => run(...right.with(argument, value)));
        expect({ argument, value, code }).toEqual({ argument, value, code: "invalid-argument" });
      }
    }
    expect(() => run(...right)).not.toThrow();
  };
  const doubles = (length: number): Float64Array => new Float64Array(length);
  const floats = (length: number): Float32Array => new Float32Array(length);
  const words = (...values: number[]): Uint32Array => Uint32Array.from(values);
  const room = (length: number): Uint32Array => new Uint32Array(length);
  const scalar = 0;
  const unlimited = Float64Array.of(Number.NaN, Infinity);
  /** Counts without the numbers, a position beyond the pool, ends that fall, a cost for one of three. */
  const wrongConstraints = [
    words(1),
    words(1, 0, 0, 0, 0),
    words(1, 0, 0, 0, 0, 3),
    words(0, 1, 0, 0, 0, 3),
    words(0, 0, 2, 1, 0, 1, 0, 0),
    words(0, 0, 1, 1, 0, 2, 0),
    words(0, 0, 1, 1, 0, 1, 3),
    words(0, 0, 0, 0, 1, 7),
  ];

  test("checks every length of a search over sets itself", () => {
    const right = [scalar, doubles(3), doubles(9), 2, 3, false, unlimited, words(), 4];
    refusesEach(
      addon.enumerateHyperedges,
      [...right, doubles(4), room(5), room(8), doubles(0)],
      [
        [9],
        [doubles(2), doubles(4), Float64Array.of(0, Number.NaN, 0)],
        [doubles(8), doubles(10), Float64Array.of(0, Infinity, ...doubles(7))],
        [0, 1, 3, 9],
        [],
        [],
        [doubles(0), doubles(1), Float64Array.of(Number.NaN, Infinity, 0)],
        wrongConstraints,
        [3, 5],
        [doubles(3), doubles(5)],
        [room(4), room(6)],
        [room(7), room(9)],
        [doubles(1), doubles(6), doubles(8)],
      ],
    );
    const weighed = [...right, doubles(4), room(5), room(8), doubles(3 + 4)];
    expect((addon.enumerateHyperedges as (...args: unknown[]) => number)(...weighed)).toBe(4);
  });

  test("checks every length of a ranking itself", () => {
    refusesEach(
      addon.rankByMarginalGain,
      [scalar, 3, doubles(6), doubles(9), 2, 3, false, unlimited, words(), room(4), doubles(8), room(3)],
      [
        [9],
        [2, 4, 0],
        [doubles(5), doubles(7), doubles(3)],
        [doubles(8), doubles(10)],
        [0, 1, 3, 9],
        [],
        [],
        [doubles(0), doubles(1), Float64Array.of(Number.NaN, Infinity, 0)],
        wrongConstraints,
        [room(3), room(5)],
        [doubles(7), doubles(6), doubles(10)],
        [room(0), room(2), room(4)],
      ],
    );
  });

  const createModel = (simd: string, tools = 3, maxSize = 2): ReturnType<typeof addon.createHypergraphModel> =>
    addon.createHypergraphModel(
      ...([1, 2, maxSize, "sum", Float64Array.of(Number.NaN), floats(tools), floats(2 * tools)] as const),
      ...([floats((maxSize - 1) * 2 * tools), "float32", 1, simd as "scalar"] as const),
    );

  test("checks every length of a model itself", () => {
    refusesEach(
      addon.createHypergraphModel,
      [1, 2, 2, "sum", Float64Array.of(Number.NaN), floats(3), floats(6), floats(6), "float32", 1, "scalar"],
      [
        [0, 2],
        [0, 1, 4],
        [0, 1, 3, 9],
        ["mean"],
        [doubles(0), doubles(2), doubles(4)],
        [floats(2), floats(4), Float32Array.of(0, 0, Infinity)],
        [floats(5), floats(4), Float32Array.of(0, Number.NaN, 0, 0, 0, 0)],
        [floats(5), floats(8), Float32Array.of(0, Number.NaN, 0, 0, 0, 0)],
        ["int4"],
        [],
        ["none"],
      ],
    );
    refusesEach(
      addon.projectRows,
      [scalar, floats(6), floats(4), 2, floats(6)],
      [[9], [floats(5)], [floats(5)], [0, 4], [floats(5), floats(7)]],
    );
    const model = createModel("scalar");
    refusesEach(
      model.shortlist.bind(model),
      [floats(2), 1, 2, words(1), words(), words(0, 1), room(6), floats(6), floats(6), room(2)],
      [
        [floats(1), floats(3), Float32Array.of(0, Number.NaN)],
        [4, 2000],
        [4, 2000],
        [words(3), words(0, 1)],
        [words(3)],
        [words(3)],
        [room(5), room(7)],
        [floats(5), floats(7)],
        [floats(5), floats(7)],
        [room(1), room(3)],
      ],
    );
    refusesEach(
      model.fillPool.bind(model),
      [words(2, 0), floats(2), room(2), doubles(2), doubles(4)],
      [[words(3, 0), words(0)], [floats(1), floats(3)], [room(1)], [doubles(1)], [doubles(3), doubles(5)]],
    );
    refusesEach(
      model.bestSets.bind(model),
      [floats(2), 3, 3, undefined, words(), Infinity, 3, 2, room(3), room(5), room(8), doubles(4)],
      [
        [floats(1), floats(3)],
        [2000],
        [2000],
        [words(3)],
        [words(1), words(1, 0, 0, 0, 0, 3), words(0, 0, 2, 1, 0, 1, 0, 0), words(0, 0, 0, 0, 1, 7)],
        [],
        [],
        [1, 3],
        [room(2), room(4)],
        [room(4), room(6)],
        [room(7), room(9)],
        [doubles(3), doubles(5)],
      ],
    );
    refusesEach(
      model.rank.bind(model),
      [floats(2), 3, 3, undefined, words(), Infinity, 3, room(6), doubles(12), room(3)],
      [
        [floats(1), floats(3)],
        [2000],
        [2000],
        [words(3)],
        [words(1), words(1, 0, 0, 0, 0, 3), words(0, 0, 2, 1, 0, 1, 0, 0), words(0, 0, 0, 0, 1, 7)],
        [],
        [],
        [room(5), room(7)],
        [doubles(11), doubles(10), doubles(14)],
        [room(2), room(4)],
      ],
    );
    refusesEach(
      model.readRows.bind(model),
      [2, 1, floats(4)],
      [
        [3, 9],
        [2, 9],
        [floats(3), floats(6)],
      ],
    );
    model.dispose();
    model.dispose();
    for (const call of [
      () => model.shortlist(floats(1), 0, 0, words(), words(), undefined, room(0), floats(0), floats(0), room(1)),
      () => model.fillPool(words(), floats(0), room(0), doubles(0), doubles(0)),
      () => model.readRows(0, 0, floats(1)),
    ]) {
      expect(refusal(call)).toBe("invalid-argument");
    }
  });

  test("checks every length of a search for what is missing itself", () => {
    // Tool 0 needs input 0, which tool 1 makes.
    const graph = [words(0, 1, 1), words(0, 1), words(1), Float32Array.of(1)];
    refusesEach(addon.createDeficitSearch, graph, [
      [words(), words(1, 1, 1), words(0, 2, 1), words(0, 1, 2)],
      [words(), words(0), words(1, 1), words(0, 2), words(0, 1, 1)],
      [words(), words(2), words(1, 1)],
      [floats(0), floats(2), Float32Array.of(Number.NaN), Float32Array.of(-1)],
    ]);
    const search = (addon.createDeficitSearch as (...args: unknown[]) => DeficitHandle)(...graph);
    const relevance = Float32Array.of(1, 1);
    const right = [words(0), words(), words(0, 1), words(), relevance, 4, 4, 4, 4, 4, room(64), doubles(64)];
    refusesEach(search.search.bind(search), right, [
      [words(2)],
      [words(1)],
      [words(2)],
      [words(2)],
      [floats(1), floats(3), Float32Array.of(Number.NaN, 1)],
    ]);
    // Without room for the answer nothing is written, and its length is said.
    const [few, none] = [room(1), doubles(0)];
    const length = search.search(...(right.with(10, few).with(11, none) as Parameters<DeficitHandle["search"]>));
    expect(length).toBeGreaterThan(1);
    search.copyResults(few, none);
    expect([...few]).toEqual([0]);
    search.dispose();
    expect(refusal(() => search.search(...(right as Parameters<DeficitHandle["search"]>)))).toBe("invalid-argument");
  });

  /** What a script prints that has the built addon as `addon`, a way to make models of tools that all tie, and to ask one. */
  const runWithModels = (file: string, script: string): unknown => {
    const opening = `
      const addon = require(process.argv[1]);
      const create = (tools) => addon.createHypergraphModel(
        1, 1, 3, "sum", Float64Array.of(NaN), new Float32Array(tools), new Float32Array(tools), new Float32Array(2 * tools),
        "float32", 1, "scalar");
      const [query, none, offsets, sets, members, score] =
        [new Float32Array(1), new Uint32Array(0), new Uint32Array(2), new Uint32Array(2), new Uint32Array(3), new Float64Array(1)];
      const ask = (model, tools) =>
        model.bestSets(query, tools, tools, undefined, none, Infinity, 3, 1, offsets, sets, members, score);`;
    const options = { encoding: "utf8", timeout: 20_000 } as const;
    return JSON.parse(execFileSync(process.execPath, ["-e", opening + script, file], options));
  };

  test("keeps nothing of a large query", ({ skip }) => {
    const file = builtAddon();
    if (file === undefined || process.platform !== "linux") skip("reads /proc, of the built addon");
    // Bounds give up where all tie, and all sets of three are enumerated, over tables of C(500, 3) numbers: 165 MB.
    const grown = runWithModels(
      file!,
      `
      globalThis.kept = create(500);
      const before = process.memoryUsage().rss;
      ask(kept, 500);
      process.stdout.write(String(process.memoryUsage().rss - before));`,
    );
    expect(grown).toBeLessThan(64e6);
  });

  test("tells the garbage collector what the queries of a model hold, so that dropped models are freed", ({ skip }) => {
    const file = builtAddon();
    if (file === undefined) skip("needs the file of `npm run build:addon`");
    // The tables of 200 tools are 10 MB, their rows a few KB.
    const collected = runWithModels(
      file!,
      `
      let collected = 0;
      const registry = new FinalizationRegistry(() => (collected += 1));
      (async () => {
        for (let i = 0; i < 40; i += 1) {
          const model = create(200);
          ask(model, 200);
          registry.register(model);
          await new Promise((resolve) => setImmediate(resolve));
        }
        process.stdout.write(String(collected));
      })();`,
    );
    expect(collected).toBeGreaterThan(0);
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
