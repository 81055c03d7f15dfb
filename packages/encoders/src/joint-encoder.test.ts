import type { Encoder } from "@setwise/core";
import { staticModelFolder } from "@setwise/model-static";
import { describeEncoder } from "@setwise/testkit";
import { expect, test } from "vitest";
import { createJointEncoder } from "./joint-encoder.ts";
import { createStaticEncoder } from "./static-encoder.ts";
import { readStaticModel } from "./static-model.ts";

const table = createStaticEncoder(readStaticModel(staticModelFolder));
describeEncoder("two encoders as one", () => createJointEncoder([table, table]), { tolerance: 1e-7 });

const fixed = (name: string, rows: Readonly<Record<string, readonly number[]>>): Encoder => ({
  name,
  dimensions: 2,
  encode: async (texts) => Float32Array.from(texts.flatMap((text) => rows[text] ?? [0, 0])),
});

test("the cosine is the mean of the encoders' cosines", async () => {
  const left = fixed("left", { a: [1, 0], b: [0.6, 0.8] });
  const right = fixed("right", { a: [0, 1], b: [1, 0], c: [0, 1] });
  const joint = createJointEncoder([left, right]);
  expect([joint.name, joint.dimensions]).toEqual(["joint:left+right", 4]);
  const [a, b, c] = await Promise.all(["a", "b", "c"].map((text) => joint.encode([text])));
  const cosine = (x: Float32Array = new Float32Array(4), y: Float32Array = new Float32Array(4)): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  // 0.6 by the left one, 0 by the right one.
  expect(cosine(a, b)).toBeCloseTo(0.3, 6);
  // Only the right one knows c: its row is of length 1, that of a has half its square there.
  expect(cosine(a, c)).toBeCloseTo(Math.SQRT1_2, 6);
});

test("without an encoder there is none", () => {
  expect(() => createJointEncoder([])).toThrow("at least one encoder");
});
