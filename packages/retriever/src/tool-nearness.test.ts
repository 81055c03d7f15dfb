import { expect, test } from "vitest";
import { toolNearness } from "./tool-nearness.ts";

const embeddings = { encoder: "x", dimensions: 2, vectors: Float32Array.of(1, 0, 0, 1, 0, 1, 0, 1) };

test("the mean cosine of all tools is that with the mean of their rows", () => {
  const { tools, meanCosine } = toolNearness(embeddings);
  expect(tools).toBe(4);
  // Rows (1, 0) and three times (0, 1): (1 · 0.6 + 3 · 0.8) / 4.
  expect(meanCosine(Float32Array.of(0.6, 0.8))).toBeCloseTo(0.75, 6);
  // Only the first vector of a query counts, which is the whole of it.
  expect(meanCosine(Float32Array.of(1, 0, 0, 1))).toBe(0.25);
});

test("the largest cosine is that of the nearest tool, row by row, and at least 0", () => {
  const found = toolNearness(embeddings).largestCosines(Float32Array.of(0.6, 0.8, -1, 0, 1, 0));
  expect([...found].map((cosine) => Math.round(100 * cosine) / 100)).toEqual([0.8, 0, 1]);
});

test("without tools nothing is near", () => {
  const none = toolNearness({ encoder: "x", dimensions: 2, vectors: new Float32Array(0) });
  expect(none.meanCosine(Float32Array.of(1, 0))).toBe(0);
  expect([...none.largestCosines(Float32Array.of(1, 0))]).toEqual([0]);
});
