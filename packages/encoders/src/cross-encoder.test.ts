import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minilmModelFolder } from "@setwise/model-minilm";
import { describePairScorer } from "@setwise/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onnxModel } from "../test/onnx-file.ts";
import { minilmWithSegmentHead } from "../test/segment-head.ts";
import { tinyGraph, writeModelFolder } from "../test/tiny-model.ts";
import { type CrossEncoder, createCrossEncoder } from "./cross-encoder.ts";
import { openOnnxModel } from "./onnx-model.ts";
import type { TextCut } from "./text-cut.ts";

const root = mkdtempSync(join(tmpdir(), "setwise-cross-encoder-"));
const folderOf = (labels: 1 | 2) => join(root, `labels-${labels}`);
let one: CrossEncoder | undefined;
const cuts: TextCut[] = [];

beforeAll(async () => {
  const tokenizer = JSON.parse(readFileSync(join(minilmModelFolder, "tokenizer.json"), "utf8"));
  for (const labels of [1, 2] as const)
    writeModelFolder(folderOf(labels), { "model.onnx": minilmWithSegmentHead(labels), "tokenizer.json": tokenizer });
  one = await createCrossEncoder(folderOf(1), { maxTokens: 128, onCut: (cut) => cuts.push(cut) });
});
afterAll(async () => {
  await one?.dispose();
  rmSync(root, { recursive: true });
});
const scorer = () => {
  if (one === undefined) throw new Error("The model was not opened.");
  return one;
};

describePairScorer("the cross-encoder with MiniLM and a head", scorer);

test("the score is the logit of the pair, read as the model wants it", async () => {
  // The same pair run by hand: [CLS] return card [SEP] money back [SEP], types 0 0 0 0 1 1 1.
  const model = await openOnnxModel(folderOf(1), { maxTokens: 128 });
  const { idOf } = await vocabulary();
  const ids = ["[CLS]", "return", "card", "[SEP]", "money", "back", "[SEP]"].map(idOf);
  const pair = { ids, types: [0, 0, 0, 0, 1, 1, 1], cut: false, known: true };
  const { numbers } = await model.run([pair], "last_hidden_state");
  await model.dispose();
  const sums = [0, 1].map((type) => {
    const tokens = pair.types.flatMap((value, token) => (value === type ? [token] : []));
    return Array.from({ length: 384 }, (_, index) => sum(tokens.map((token) => numbers[token * 384 + index] ?? 0)));
  });
  const [first = [], second = []] = sums;
  const cosine =
    sum(first.map((value, index) => value * (second[index] ?? 0))) / Math.hypot(...first) / Math.hypot(...second);
  expect((await scorer().score("return card", ["money back"]))[0]).toBeCloseTo(cosine, 5);
});

test("of two labels the second's logit counts against the first's", async () => {
  const two = await createCrossEncoder(folderOf(2), { maxTokens: 128 });
  const texts = ["refund a payment", "weather in Oslo"];
  // The head with two labels gives −c and c, so the score is 2c.
  const expected = (await scorer().score("give the money back", texts)).map((score) => 2 * score);
  const scores = await two.score("give the money back", texts);
  for (const [index, score] of scores.entries()) expect(score).toBeCloseTo(expected[index] ?? Number.NaN, 5);
  await two.dispose();
});

test("a long text is cut, not the short query, with a notice", async () => {
  cuts.length = 0;
  const long = "refund a payment ".repeat(100);
  const scores = await scorer().score("money back", ["x", long, `${long}weather`]);
  expect(cuts.map(({ position, tokens }) => [position, tokens])).toEqual([
    [1, 128],
    [2, 128],
  ]);
  expect(scores[2]).toBe(scores[1]);
});

describe("a model of another kind is refused", () => {
  test("an encoder", async () => {
    await expect(createCrossEncoder(minilmModelFolder)).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(createCrossEncoder(writeModelFolder(join(root, "tiny")))).rejects.toThrow(/no cross-encoder/);
  });

  test("a classifier of three labels", async () => {
    const flat = { ...tinyGraph, constants: { table: { shape: [9, 3], numbers: new Float32Array(27) } } };
    const nodes = [
      { op: "Gather", inputs: ["table", "input_ids"], output: "tokens" },
      { op: "ReduceMax", inputs: ["tokens"], output: "logits", attributes: { axes: [1], keepdims: 0 } },
    ];
    const graph = { ...flat, nodes, outputs: { logits: { type: "float" as const, shape: ["batch", 3] } } };
    const folder = writeModelFolder(join(root, "three"), { "model.onnx": onnxModel(graph) });
    await expect(createCrossEncoder(folder)).rejects.toThrow(/one or two labels/);
  });

  test("one cut short", async () => {
    const folder = writeModelFolder(join(root, "short"));
    truncateSync(join(folder, "model.onnx"), 40);
    await expect(createCrossEncoder(folder)).rejects.toMatchObject({ code: "corrupt-file" });
  });

  test("one whose scores are not finite", async () => {
    const table = { shape: [9, 1], numbers: new Float32Array(9).fill(Number.NaN) };
    const nodes = [
      { op: "Gather", inputs: ["table", "input_ids"], output: "tokens" },
      { op: "ReduceSum", inputs: ["tokens", "axis"], output: "logits", attributes: { keepdims: 0 } },
    ];
    const graph = {
      ...tinyGraph,
      nodes,
      constants: { table, axis: { shape: [1], numbers: BigInt64Array.of(1n) } },
      outputs: { logits: { type: "float" as const, shape: ["batch", 1] } },
    };
    const folder = writeModelFolder(join(root, "not-a-number"), { "model.onnx": onnxModel(graph) });
    const broken = await createCrossEncoder(folder);
    await expect(broken.score("send", ["mail"])).rejects.toMatchObject({ code: "corrupt-file" });
    await broken.dispose();
  });
});

async function vocabulary(): Promise<{ idOf: (token: string) => number }> {
  const { model } = JSON.parse(readFileSync(join(minilmModelFolder, "tokenizer.json"), "utf8"));
  return { idOf: (token) => Number(model.vocab[token]) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
