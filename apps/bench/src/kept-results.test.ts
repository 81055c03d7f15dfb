import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keptResults, trialHash } from "./kept-results.ts";
import type { Library, PreparedQuery } from "./set-model-data.ts";
import type { SetModelTrial } from "./set-model-trials.ts";

test("a finished trial is not done again, unless its settings are others or nothing is kept", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kept-results-"));
  let made = 0;
  const make = async () => ({ made: ++made });
  const kept = await keptResults(folder);
  expect(await kept.of({ seed: 1 }, make)).toEqual({ made: 1 });
  expect(await (await keptResults(folder)).of({ seed: 1 }, make)).toEqual({ made: 1 });
  expect(await kept.of({ seed: 2 }, make)).toEqual({ made: 2 });
  expect(await (await keptResults(undefined)).of({ seed: 1 }, make)).toEqual({ made: 3 });
  await rm(folder, { recursive: true });
});

test("the hash of a trial tells of every number that is learned from", () => {
  const library = { catalog: { revision: "r" }, index: {}, encoder: { name: "e" } } as unknown as Library;
  const query = (value: number): PreparedQuery => ({
    text: "open the door",
    gold: Uint32Array.of(1),
    vector: Float32Array.of(1, 0),
    features: { hybrid: { ids: Uint32Array.of(1), values: Float32Array.of(value) } },
    requests: 1,
  });
  const trial = (value: number): SetModelTrial => ({
    name: "trial",
    library,
    full: library,
    train: [query(value)],
    tests: [],
  });
  expect(trialHash(trial(0.5))).toBe(trialHash(trial(0.5)));
  expect(trialHash(trial(0.5))).not.toBe(trialHash(trial(0.25)));
});
