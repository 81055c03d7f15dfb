import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalog, seededRandom, type Tool } from "@setwise/core";
import { openKernels } from "@setwise/native";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { cleanLog, type LoggedQuery } from "./clean-log.ts";
import { writeSetModel } from "./set-model-file.ts";
import { trainSetModel } from "./train-set-model.ts";
import { queryAt, type TrainingData } from "./training-data.ts";

const path = join(tmpdir(), `set-model-levels-${process.pid}.safetensors`);
const DIMENSIONS = 24;
const QUERIES = 120;
const random = seededRandom(3);
/** Rows of length 1, each near what it is given. */
function vectors(count: number, near: (row: number, column: number) => number = () => 0): Float32Array {
  const all = new Float32Array(count * DIMENSIONS);
  for (let row = 0; row < count; row++) {
    const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => (random() - 0.5) / 2 + near(row, i));
    const length = Math.hypot(...vector);
    all.set(
      vector.map((value) => value / length),
      row * DIMENSIONS,
    );
  }
  return all;
}

/** Thirty tools; requests for two or three that lie together. */
function madeUp(): TrainingData {
  const tools = Array.from({ length: 30 }, (_, at): Tool => ({
    id: `t${at}`,
    name: `t${at}`,
    description: "",
    inputSchema: {},
    original: undefined,
  }));
  const catalog = createCatalog(tools);
  const firsts = Array.from({ length: QUERIES }, () => Math.floor(random() * 28));
  const log = firsts.map((first, at): LoggedQuery => {
    const ids = [first, first + 1, first + 2].slice(0, 2 + (at % 2));
    return { query: `request ${at}`, tools: ids.map((id) => `t${id}`) };
  });
  const toolVectors = vectors(tools.length);
  const queryVectors = vectors(QUERIES, (row, i) => {
    const first = firsts[row]! * DIMENSIONS + i;
    return toolVectors[first]! + toolVectors[first + DIMENSIONS]!;
  });
  const offsets = Uint32Array.from({ length: QUERIES + 1 }, (_, at) => 4 * at);
  const named = Uint32Array.from({ length: 4 * QUERIES }, (_, at) => (11 * at) % tools.length);
  const values = Float32Array.from(named, () => random());
  return {
    catalog,
    encoder: "made-up",
    toolVectors,
    queries: cleanLog(log, catalog).queries,
    queryVectors,
    features: [{ name: "hybrid", offsets, tools: named, values }],
  };
}

const data = madeUp();
const levels = ["native:avx512", "native:avx2", "native:neon", "native:scalar", "typescript"].filter((name) => {
  try {
    return openKernels(name as Parameters<typeof openKernels>[0]) !== undefined;
  } catch {
    return false;
  }
});

/** The sets of all queries, by modules that were loaded anew with these kernels and know the model from its file. */
async function setsAt(level: string): Promise<unknown[]> {
  vi.stubEnv("SETWISE_KERNELS", level);
  vi.resetModules();
  const { kernelInfo } = await import("@setwise/native");
  const { implementation, simd } = kernelInfo();
  expect(implementation === "typescript" ? implementation : `native:${simd}`).toBe(level);
  const { readSetModel } = await import("./set-model-file.ts");
  const { openSetScorer } = await import("./set-scorer.ts");
  const { rankTools } = await import("./rank-tools.ts");
  const scorer = openSetScorer(await readSetModel(path));
  const found = Array.from({ length: QUERIES }, (_, place) => {
    const scored = scorer.score(queryAt(data, place, DIMENSIONS));
    return { sets: scored.best.map(({ ids }) => [...ids]), ranking: [...rankTools(scored).ids] };
  });
  scorer.dispose();
  return found;
}

let expected: unknown[];
beforeAll(async () => {
  const { model } = await trainSetModel(data, { threads: 1 });
  expect(model.toolDimensions).toBe(DIMENSIONS);
  await writeSetModel(path, model);
  expected = await setsAt(levels[0]!);
}, 60_000);
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rm(path, { force: true }));

test.each(levels.slice(1))(
  "a model that was trained with the best kernels gives the same sets and rankings with %s",
  async (level) => {
    expect(await setsAt(level)).toEqual(expected);
  },
);

test("a second training gives the same file, byte by byte", async () => {
  const again = `${path}.again`;
  await writeSetModel(again, (await trainSetModel(data, { threads: 2 })).model);
  const [one, other] = [await readFile(path), await readFile(again)];
  await rm(again);
  expect(one.equals(other)).toBe(true);
});
