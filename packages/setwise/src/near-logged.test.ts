import { expect, test } from "vitest";
import { shareFarFromLog } from "./near-logged.ts";

test("near a request that tools served nothing is left of a refusal, and far from all of them it is whole", () => {
  expect([0.3, 0.45, 0.7, 1].map((cosine) => shareFarFromLog(cosine, true))).toEqual([1, 1, 0, 0]);
  // (0.7 − 0.6) / 0.2
  expect(shareFarFromLog(0.6, true)).toBeCloseTo(0.5, 12);
  expect(shareFarFromLog(undefined, true)).toBe(1);
});

test("by an encoder whose cosines are not known only the same request counts", () => {
  expect([0.9, 0.995].map((cosine) => shareFarFromLog(cosine, false))).toEqual([1, 0]);
});
