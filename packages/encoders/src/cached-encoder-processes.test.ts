import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundledScript, type RunningScript, runScript } from "../test/child-process.ts";
import { expectedVector } from "../test/counting-encoder.ts";
import { stressOptions, stressVector } from "../test/stress-records.ts";
import { embeddingKey } from "./cached-encoder-key.ts";
import { embeddingFile } from "./embedding-file.ts";

let buildIndex: string;
let appendAndCompact: string;
beforeAll(async () => {
  buildIndex = await bundledScript("build-index");
  appendAndCompact = await bundledScript("append-and-compact");
}, 60_000);
afterAll(async () => {
  for (const script of [buildIndex, appendAndCompact]) await rm(dirname(script), { recursive: true, force: true });
});

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-processes-"));
  file = join(folder, "embeddings");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const linesOf = async (log: string): Promise<string[]> =>
  (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");

/** Kills a script at some moment after its log has so many lines. */
async function killAfterLines(running: RunningScript | undefined, log: string, lines: number): Promise<void> {
  while ((await linesOf(log)).length < lines && running?.child.exitCode === null) await sleep(1);
  await sleep(Math.random() * 8);
  running?.child.kill("SIGKILL");
}

describe("an index build that is killed", () => {
  const TEXTS = 300;
  const BATCH = 10;
  const DIMENSIONS = 1024;
  const texts = Array.from({ length: TEXTS }, (_, number) => `text ${number}`);
  const vectors = new Map(texts.map((text) => [text, expectedVector(text, DIMENSIONS)]));

  /** The texts that the file holds; every vector must be right. */
  async function kept(): Promise<Set<string>> {
    const keys = texts.map((text) => embeddingKey("counting", "document", text));
    const found = await embeddingFile(file, {
      encoderName: "counting",
      dimensions: DIMENSIONS,
      maxBytes: 2 ** 30,
    }).read(keys);
    const there = texts.filter((_, at) => found.has(keys[at] ?? ""));
    const wrong = there.filter((text) => !isRight(text, found.get(embeddingKey("counting", "document", text))));
    expect(wrong).toEqual([]);
    return new Set(there);
  }

  function isRight(text: string, vector: Float32Array | undefined): boolean {
    const expected = vectors.get(text);
    return vector?.length === DIMENSIONS && vector.every((value, slot) => value === expected?.[slot]);
  }

  const batchesOf = async (log: string): Promise<string[][]> =>
    (await linesOf(log)).map((line) => JSON.parse(line) as string[]);

  /** Starts a build and kills it at some moment after it has begun a number of batches; gives its batches. */
  async function killedBuild(log: string): Promise<string[][]> {
    const running = runScript(process.execPath, [
      buildIndex,
      file,
      log,
      String(TEXTS),
      String(BATCH),
      String(DIMENSIONS),
    ]);
    const batches = Math.floor(Math.random() * 5);
    await killAfterLines(running, log, batches + 1);
    await running.ended;
    return batchesOf(log);
  }

  test("loses its last batch at most, and encodes nothing else twice", { timeout: 120_000 }, async () => {
    const encoded = new Map<string, number>();
    const mayRepeat = new Set<string>();
    for (let run = 0; run < 10; run++) {
      const batches = await killedBuild(join(folder, `log-${run}`));
      for (const text of batches.flat()) encoded.set(text, (encoded.get(text) ?? 0) + 1);
      const last = new Set(batches.at(-1));
      for (const text of last) mayRepeat.add(text);
      const there = await kept();
      for (const text of encoded.keys()) if (!last.has(text)) expect(there, `${text} after run ${run}`).toContain(text);
    }
    const log = join(folder, "log-last");
    const end = await runScript(process.execPath, [
      buildIndex,
      file,
      log,
      String(TEXTS),
      String(BATCH),
      String(DIMENSIONS),
    ]).ended;
    expect(end).toMatchObject({ exit: 0, errors: "" });
    expect(JSON.parse(end.output)).toMatchObject({ isRight: true, problems: [] });
    for (const text of (await batchesOf(log)).flat()) encoded.set(text, (encoded.get(text) ?? 0) + 1);
    expect(encoded.size).toBe(TEXTS);
    const repeated = [...encoded].filter(([, times]) => times > 1).map(([text]) => text);
    expect(repeated.filter((text) => !mayRepeat.has(text))).toEqual([]);
    expect((await kept()).size).toBe(TEXTS);
    expect(await readdir(folder)).toContain("embeddings");
  });
});

describe("several processes with one file", () => {
  test("two that build the same index at once keep every vector whole", async () => {
    const builds = [1, 2, 3].map((number) =>
      runScript(process.execPath, [buildIndex, file, join(folder, `log-${number}`), "200", "7", "64"]),
    );
    for (const { ended } of builds) {
      const { exit, output, errors } = await ended;
      expect([exit, errors]).toEqual([0, ""]);
      expect(JSON.parse(output)).toMatchObject({ isRight: true, problems: [] });
    }
    const again = await runScript(process.execPath, [buildIndex, file, "", "200", "7", "64"]).ended;
    expect(JSON.parse(again.output)).toEqual({ isRight: true, batches: 0, problems: [] });
  });

  test(
    "nothing that one has appended is lost when others compact, or are killed while they do",
    { timeout: 120_000 },
    async () => {
      const names = ["a", "b", "c", "d"];
      const logs = names.map((name) => join(folder, `log-${name}`));
      const running = names.map((name, at) =>
        runScript(process.execPath, [appendAndCompact, file, logs[at] ?? "", name, "60"]),
      );
      // Two are killed somewhere on their way; the others go on.
      for (const at of [0, 1]) {
        const rounds = 4 * Math.floor(5 + Math.random() * 40);
        await killAfterLines(running[at], logs[at] ?? "", rounds);
      }
      const ends = await Promise.all(running.map(({ ended }) => ended));
      for (const end of ends.slice(2)) expect(end).toMatchObject({ exit: 0, errors: "" });

      const lines = (await Promise.all(logs.map(linesOf))).flat();
      // The last line of one that was killed may be half written.
      const keys = lines
        .filter((line) => line.length === 32)
        .map((line) => Buffer.from(line, "hex").toString("latin1"));
      expect(keys.length).toBeGreaterThan(2 * 240);
      const found = await embeddingFile(file, stressOptions).read(keys);
      const lost = keys.filter((key) => !found.has(key));
      expect(lost).toEqual([]);
      for (const [key, vector] of found) expect(vector).toEqual(stressVector(key));
      expect((await readdir(folder)).filter((name) => name.endsWith(".old"))).toEqual([]);
    },
  );
});

describe.skipIf(process.platform === "win32")(
  "a disk that takes no more (a limit on the size of files stands for it)",
  () => {
    test("costs a notice, not the vectors, and what was written stays readable", async () => {
      // 40 blocks of 512 or 1,024 bytes, as the shell counts; 100 records of 28 + 64 · 4 bytes are 28 KB, and 300 are 85 KB.
      const script = `ulimit -f 40; exec "$0" "$@"`;
      const { exit, output, errors } = await runScript("sh", [
        "-c",
        script,
        process.execPath,
        buildIndex,
        file,
        "",
        "300",
        "100",
        "64",
      ]).ended;
      expect([exit, errors]).toEqual([0, ""]);
      const result = JSON.parse(output) as { isRight: boolean; problems: { code: string; message: string }[] };
      expect(result.isRight).toBe(true);
      expect(result.problems).toMatchObject([
        { code: "cache-unusable", message: expect.stringContaining("The disk is full") },
      ]);

      const again = await runScript(process.execPath, [buildIndex, file, "", "300", "1", "64"]).ended;
      const rebuilt = JSON.parse(again.output) as { isRight: boolean; batches: number; problems: unknown[] };
      expect(rebuilt).toMatchObject({ isRight: true, problems: [] });
      // At least 40 · 512 bytes of records were kept: 71 of 284 bytes.
      expect(rebuilt.batches).toBeLessThanOrEqual(300 - 71);
    });
  },
);
