/**
 * Encodes `text 0` … `text N-1` through a cache, as an index build does. Parameters: cache file, log file, N, texts a batch,
 * dimensions. Each batch is logged before it is encoded. At the end it writes one line of JSON.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Problem } from "@setwise/core";
import { createCachedEncoder } from "../src/cached-encoder.ts";
import { countingEncoder, expectedVector } from "./counting-encoder.ts";

const [file = "", log = "", count = "0", batchTexts = "1", dimensions = "8"] = process.argv.slice(2);
const inner = countingEncoder({
  dimensions: Number(dimensions),
  before: async (texts) => {
    if (log !== "") appendFileSync(log, `${JSON.stringify(texts)}\n`);
    await sleep(1);
  },
});
const problems: Problem[] = [];
const encoder = createCachedEncoder(inner, {
  file,
  batchTexts: Number(batchTexts),
  onProblem: (problem) => problems.push(problem),
});
const texts = Array.from({ length: Number(count) }, (_, number) => `text ${number}`);
const vectors = await encoder.encode(texts);
const expected = texts.flatMap((text) => [...expectedVector(text, inner.dimensions)]);
const isRight = vectors.length === expected.length && expected.every((value, position) => vectors[position] === value);
process.stdout.write(`${JSON.stringify({ isRight, batches: inner.batches.length, problems })}\n`);
