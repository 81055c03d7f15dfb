import { staticModelFolder } from "@setwise/model-static";
import { describeEncoder } from "@setwise/testkit";
import { describe, expect, test } from "vitest";
import { createStaticEncoder } from "./static-encoder.ts";
import { readStaticModel, type StaticModel } from "./static-model.ts";
import type { TextCut } from "./text-cut.ts";
import { sortedVocabulary } from "./vocabulary.ts";

const shipped = readStaticModel(staticModelFolder);
describeEncoder("the static encoder", () => createStaticEncoder(shipped));

const vocabulary = sortedVocabulary("##s\nmail\nnull\nsend\n", [0, 0, 1, 3]);
if (vocabulary === undefined) throw new Error("The vocabulary of this test is not sorted.");
const small: StaticModel = {
  name: "small",
  fingerprint: "00000000",
  dimensions: 2,
  lowercase: true,
  stripAccents: true,
  vocabulary,
  rows: Int8Array.of(0, 2, 3, 0, 0, 0, 0, 4),
  scales: Float32Array.of(1, 1, 1, 0.5),
};

describe("a text's vector", () => {
  test("is the sum of its tokens' rows times their scales, scaled to length 1", async () => {
    // send = (0, 4) · 0.5 = (0, 2); mail = (3, 0); ##s = (0, 2). Sum (3, 4), length 5.
    const vector = await createStaticEncoder(small).encode(["Send MAILS"]);
    expect([...vector]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  test("is the same sum past the four tokens that are added in one pass", async () => {
    // Five times mail = (15, 0), ten times send = (0, 20). Length 25.
    const vector = await createStaticEncoder(small).encode(["mail ".repeat(5) + "send ".repeat(10)]);
    expect([...vector]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  test("leaves unknown words out, and is zeros when nothing is left or all adds up to nothing", async () => {
    const vectors = await createStaticEncoder(small).encode(["xyz mail 👍", "xyz", "null"]);
    expect([...vectors]).toEqual([1, 0, 0, 0, 0, 0]);
  });
});

test("a long text is cut with a notice that names it", async () => {
  const cuts: TextCut[] = [];
  const encoder = createStaticEncoder(small, { maxTokens: 2, onCut: (cut) => cuts.push(cut) });
  const vectors = await encoder.encode(["mail", "mail mail send send"]);
  expect([...vectors]).toEqual([1, 0, 1, 0]);
  expect(cuts).toEqual([{ by: "static:small:00000000:2", position: 1, tokens: 2 }]);
});

test("the name tells model and content, and the length of texts where it is not the usual one", () => {
  expect(createStaticEncoder(small).name).toBe("static:small:00000000");
  expect(createStaticEncoder(small, { maxTokens: 64 }).name).toBe("static:small:00000000:64");
});

test("a limit that is not a positive whole number is refused", () => {
  for (const maxTokens of [0, -1, 1.5, Number.NaN])
    expect(() => createStaticEncoder(small, { maxTokens })).toThrow(/maxTokens must be a whole number/);
});

test("a scale that is not finite is found when it is used", async () => {
  const encoder = createStaticEncoder({ ...small, scales: Float32Array.of(1, Number.NaN, 1, 1) });
  await expect(encoder.encode(["mail"])).rejects.toMatchObject({ code: "corrupt-file" });
  expect([...(await encoder.encode(["send"]))]).toEqual([0, 1]);
});

test("a signal stops a long list between two batches", async () => {
  const controller = new AbortController();
  const encoder = createStaticEncoder(small, { maxTokens: 1, onCut: () => controller.abort() });
  const texts = Array.from({ length: 1_000 }, () => "mail mail");
  await expect(encoder.encode(texts, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
});
