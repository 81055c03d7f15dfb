import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minilmModelFolder } from "@setwise/model-minilm";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { onnxModel } from "../test/onnx-file.ts";
import { tinyGraph, tinyTokenizer, tinyWords, writeModelFolder } from "../test/tiny-model.ts";
import { createOnnxEncoder } from "./onnx-encoder.ts";
import { openOnnxModel } from "./onnx-model.ts";

const root = mkdtempSync(join(tmpdir(), "setwise-tiny-"));
afterAll(() => {
  rmSync(root, { recursive: true });
});
let count = 0;
let folder = "";
const opened: { dispose(): Promise<void> }[] = [];
beforeEach(() => {
  folder = join(root, `model-${count++}`);
});
afterEach(async () => {
  for (const encoder of opened.splice(0)) await encoder.dispose();
});
const open = async (files: Readonly<Record<string, unknown>> = {}, options = {}) => {
  const encoder = await createOnnxEncoder(writeModelFolder(folder, files), options);
  opened.push(encoder);
  return encoder;
};
const unit = (x: number, y: number) => [x / Math.hypot(x, y), y / Math.hypot(x, y)];
const expectVector = async (encoding: Promise<Float32Array>, [x = 9, y = 9]: readonly number[]) => {
  const [first = 9, second = 9, ...more] = await encoding;
  expect(more).toEqual([]);
  expect(first).toBeCloseTo(x, 5);
  expect(second).toBeCloseTo(y, 5);
};

describe("vectors of a model without an output of its own for texts", () => {
  // "send mail" is [CLS] (1, 0), send (2, 1), mail (1, 3), [SEP] (0, 1).
  test.each([
    ["mean", unit(4, 5)],
    ["max", unit(2, 3)],
    ["cls", [1, 0]],
    ["lasttoken", [0, 1]],
    // 1·(1, 0) + 2·(2, 1) + 3·(1, 3) + 4·(0, 1)
    ["weightedmean", unit(8, 15)],
  ])("are pooled by %s as the folder says", async (pooling, expected) => {
    const encoder = await open({ "1_Pooling/config.json": { pooling_mode: pooling } });
    await expectVector(encoder.encode(["send mail"]), expected);
  });

  test("do not count padding", async () => {
    const encoder = await open();
    const vectors = await encoder.encode(["send", "send mail mail mail"]);
    await expectVector(Promise.resolve(vectors.slice(0, 2)), unit(3, 2));
  });

  test("are another model's when pooling, prompts or weights differ", async () => {
    const first = (await open()).name.split(":").at(-1);
    const changes = [
      { "1_Pooling/config.json": { pooling_mode: "cls" } },
      { "1_Pooling/config.json": {}, "config_sentence_transformers.json": { prompts: { query: "query: " } } },
      {
        "config_sentence_transformers.json": {},
        "model.onnx": onnxModel({ ...tinyGraph, constants: { table: table(3) } }),
      },
    ];
    for (const files of changes) expect((await open(files)).name.split(":").at(-1)).not.toBe(first);
  });
});

test("prompts stand before the texts of their side, and a text without known tokens stays without meaning", async () => {
  const encoder = await open({ "config_sentence_transformers.json": { prompts: { query: "query: " } } });
  await expectVector(encoder.encode(["send"]), unit(3, 2));
  // [CLS] query : send [SEP] = (1, 0) + (0, 6) + (5, 0) + (2, 1) + (0, 1)
  await expectVector(encoder.encode(["send"], { as: "query" }), unit(8, 8));
  expect([...(await encoder.encode(["👍", ""], { as: "query" }))]).toEqual([0, 0, 0, 0]);
});

test("inputs may be 32-bit integers", async () => {
  const { input_ids: ids, attention_mask: mask } = tinyGraph.inputs ?? {};
  const narrow = (shape: typeof ids) => ({ type: "int32" as const, shape: shape?.shape ?? [] });
  const inputs = { input_ids: narrow(ids), attention_mask: narrow(mask) };
  await expectVector((await open({ "model.onnx": onnxModel({ ...tinyGraph, inputs }) })).encode(["send"]), unit(3, 2));
});

test("an output for whole texts is taken before pooling, and has no tokens to give", async () => {
  const nodes = [
    { op: "Gather", inputs: ["table", "input_ids"], output: "tokens" },
    { op: "ReduceMin", inputs: ["tokens"], output: "sentence_embedding", attributes: { axes: [1], keepdims: 0 } },
  ];
  const outputs = { sentence_embedding: { type: "float" as const, shape: ["batch", 2] } };
  const modules = [{ type: "sentence_transformers.models.Dense", path: "2_Dense" }];
  const encoder = await open({
    "model.onnx": onnxModel({ ...tinyGraph, nodes, outputs, constants: { table: table(1, 2) } }),
    "modules.json": modules,
  });
  await expectVector(encoder.encode(["send mail"]), unit(1, 2));
  await expect(encoder.encodeTokens(["send"])).rejects.toMatchObject({ code: "invalid-argument" });
});

test("a tokenizer of another kind is read by the optional package", async () => {
  const tokenizer = { ...tinyTokenizer, pre_tokenizer: { type: "Whitespace" }, decoder: null };
  await expectVector((await open({ "tokenizer.json": tokenizer })).encode(["send mail"]), unit(4, 5));
});

describe("a model is refused", () => {
  test("when it wants other inputs than a text encoder's", async () => {
    const inputs = { ...tinyGraph.inputs, pixel_values: { type: "float" as const, shape: ["batch", 3] } };
    await expect(open({ "model.onnx": onnxModel({ ...tinyGraph, inputs }) })).rejects.toThrow(/pixel_values/);
  });

  test("when it gives neither vectors of texts nor of tokens", async () => {
    const nodes = [{ op: "Gather", inputs: ["table", "input_ids"], output: "logits" }];
    const outputs = { logits: { type: "float" as const, shape: ["batch", "sequence", 2] } };
    await expect(open({ "model.onnx": onnxModel({ ...tinyGraph, nodes, outputs }) })).rejects.toThrow(/not an encoder/);
  });

  test("when modules follow that are not in the ONNX file", async () => {
    const modules = [{ type: "sentence_transformers.models.Dense", path: "2_Dense" }];
    await expect(open({ "modules.json": modules })).rejects.toThrow(/Dense/);
  });

  test("when its weights are not numbers, once a text needs them", async () => {
    const encoder = await open({ "model.onnx": onnxModel({ ...tinyGraph, constants: { table: table(Number.NaN) } }) });
    await expect(encoder.encode(["send"])).rejects.toMatchObject({ code: "corrupt-file" });
    await expect(encoder.encodeTokens(["send"])).rejects.toMatchObject({ code: "corrupt-file" });
  });
});

test("texts run side by side, but one at a time where activations are quantised as the model runs", async () => {
  const [tiny, quantized] = [await openOnnxModel(writeModelFolder(folder)), await openOnnxModel(minilmModelFolder)];
  opened.push(tiny, quantized);
  expect([tiny.batchTokens, quantized.batchTokens]).toEqual([512, 0]);
});

function table(x: number, y: number = x): { shape: number[]; numbers: Float32Array } {
  const words = Object.keys(tinyWords).length;
  return {
    shape: [words, 2],
    numbers: Float32Array.from({ length: words * 2 }, (_, index) => (index % 2 === 0 ? x : y)),
  };
}
