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

test("what is no list of encoders is refused, with the position of what is none", () => {
  const sound = fixed("sound", {});
  for (const given of [undefined, {}, "static", 3] as unknown[])
    expect(() => createJointEncoder(given as Encoder[])).toThrow("at least one encoder");
  for (const wrong of [
    null,
    {},
    { ...sound, dimensions: 0 },
    { ...sound, dimensions: 1.5 },
    { ...sound, name: 3 },
  ] as unknown[])
    expect(() => createJointEncoder([sound, wrong as Encoder])).toThrow("At position 1 stands no encoder");
});

test.each([
  ["too few numbers", Float32Array.of(1)],
  ["too many", Float32Array.of(1, 0, 0)],
  ["a row of another length", Float32Array.of(3, 4)],
  ["NaN", Float32Array.of(Number.NaN, 0)],
  ["a plain list", [1, 0]],
  ["64-bit floats", Float64Array.of(1, 0)],
  ["nothing", undefined],
])("an encoder that answers %s is named", async (_, rows) => {
  const wrong: Encoder = { name: "wrong", dimensions: 2, encode: async () => rows as Float32Array };
  const joint = createJointEncoder([fixed("right", { a: [1, 0] }), wrong]);
  const refusal = {
    code: "invalid-argument",
    message: expect.stringMatching(/^The encoder wrong (must give 1 rows of 2 numbers|gave .* for text 0)/),
  };
  await expect(joint.encode(["a"])).rejects.toMatchObject(refusal);
});
