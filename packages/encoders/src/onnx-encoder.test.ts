import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minilmModelFolder } from "@setwise/model-minilm";
import { describeEncoder } from "@setwise/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOnnxEncoder, type OnnxEncoder } from "./onnx-encoder.ts";
import type { TextCut } from "./text-cut.ts";

const minilm: Promise<OnnxEncoder> = createOnnxEncoder(minilmModelFolder);
afterAll(async () => {
  await (await minilm).dispose();
});

describeEncoder("the onnx encoder with MiniLM", () => minilm);

describe("MiniLM", () => {
  test("has a name of kind, folder and fingerprint, and 384 dimensions", async () => {
    expect((await minilm).name).toMatch(/^onnx:all-MiniLM-L6-v2:[0-9a-f]{8}$/);
    expect((await minilm).dimensions).toBe(384);
  });

  test("comes close to what sentence-transformers gives for the 32-bit weights", async () => {
    // The first numbers of the vectors of the 32-bit model (packages/model-minilm/scripts/bert_graph.py of the published weights).
    const { texts, vectors } = JSON.parse(
      readFileSync(new URL("../test/minilm-reference.json", import.meta.url), "utf8"),
    ) as { texts: string[]; vectors: number[][] };
    const encoded = await (await minilm).encode(texts);
    for (const [row, reference] of vectors.entries()) {
      const cosine = reference.reduce((sum, value, index) => sum + value * (encoded[row * 384 + index] ?? 0), 0);
      expect(cosine).toBeGreaterThan(0.985);
    }
  });

  test("gives the tokens of a text as rows of length 1, whose mean points where the text's vector does", async () => {
    const encoder = await minilm;
    const [tokens, none] = await encoder.encodeTokens(["send mails", "👍"]);
    // [CLS] send mail ##s [SEP]
    expect(tokens?.length).toBe(5 * 384);
    expect(none?.length).toBe(0);
    expect(Math.hypot(...(tokens?.slice(384, 768) ?? []))).toBeCloseTo(1, 5);
    const vector = await encoder.encode(["send mails"]);
    const cosines = vector.map((_, index) =>
      [0, 1, 2, 3, 4].reduce((sum, row) => sum + (tokens?.[row * 384 + index] ?? 0), 0),
    );
    const dot = cosines.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0) / Math.hypot(...cosines);
    expect(dot).toBeGreaterThan(0.99);
  });

  test("cuts a long text at 256 tokens with a notice", async () => {
    const cuts: TextCut[] = [];
    const encoder = await createOnnxEncoder(minilmModelFolder, { onCut: (cut) => cuts.push(cut) });
    const long = "word ".repeat(254);
    const vectors = await encoder.encode(["short", `${long}a tail of other words`, long]);
    expect(cuts).toEqual([{ by: encoder.name, position: 1, tokens: 256 }]);
    expect(vectors.slice(384, 768)).toEqual(vectors.slice(768));
    await encoder.dispose();
  });

  test("stops between batches when the signal fires", async () => {
    const controller = new AbortController();
    const texts = Array.from({ length: 2_000 }, (_, index) => `tool number ${index}`);
    const answer = (await minilm).encode(texts, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(answer).rejects.toMatchObject({ code: "aborted" });
  });

  test("gives the same vectors on two threads", async () => {
    const encoder = await createOnnxEncoder(minilmModelFolder, { threads: 2 });
    const texts = ["refund a payment", "weather in Oslo"];
    expect(await encoder.encode(texts)).toEqual(await (await minilm).encode(texts));
    expect(encoder.name).toBe((await minilm).name);
    await encoder.dispose();
  });

  test("can be disposed of twice, and encodes nothing afterwards", async () => {
    const encoder = await createOnnxEncoder(minilmModelFolder);
    await encoder.dispose();
    await encoder.dispose();
    await expect(encoder.encode(["refund"])).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test("disposed of while it encodes, ends the batch under way and says for the rest that it was disposed of", async () => {
    const encoder = await createOnnxEncoder(minilmModelFolder);
    const one = encoder.encode(["refund"]);
    const many = encoder.encode(["refund", "invoice", "order"]);
    const disposed = encoder.dispose();
    expect(await one).toHaveLength(384);
    const refusal = { code: "invalid-argument", message: expect.stringContaining("was disposed of") };
    await expect(many).rejects.toMatchObject(refusal);
    await disposed;
  });

  test("has another name when texts are cut elsewhere", async () => {
    const encoder = await createOnnxEncoder(minilmModelFolder, { maxTokens: 64 });
    expect(encoder.name).not.toBe((await minilm).name);
    await encoder.dispose();
  });

  test.each([{ maxTokens: 2 }, { maxTokens: 257 }, { threads: 0 }, { threads: 1.5 }])("refuses %j", async (options) => {
    await expect(createOnnxEncoder(minilmModelFolder, options)).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

describe("a folder that is no sound model", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "setwise-onnx-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const model = () => join(folder, "model.int8.onnx");
  const codeOfOpening = async () =>
    createOnnxEncoder(folder).then(
      (encoder) => encoder.dispose().then(() => "opened"),
      (error: { code?: string }) => error.code,
    );

  test("is unreadable when it does not exist, is empty, or lacks model or tokenizer", async () => {
    await expect(createOnnxEncoder(join(folder, "none"))).rejects.toMatchObject({ code: "unreadable-source" });
    expect(await codeOfOpening()).toBe("unreadable-source");
    cpSync(minilmModelFolder, folder, { recursive: true });
    unlinkSync(join(folder, "tokenizer.json"));
    await expect(createOnnxEncoder(folder)).rejects.toThrow(/has no tokenizer.json/);
    unlinkSync(model());
    await expect(createOnnxEncoder(folder)).rejects.toThrow(/has no ONNX model/);
  });

  test("is damaged when model, tokenizer or configuration is cut short", async () => {
    cpSync(minilmModelFolder, folder, { recursive: true });
    truncateSync(model(), 1_000_000);
    await expect(createOnnxEncoder(folder)).rejects.toMatchObject({
      code: "corrupt-file",
      message: expect.stringMatching(/model\.int8\.onnx .*cut short or damaged.*Get the file again/),
    });
    writeFileSync(model(), "");
    expect(await codeOfOpening()).toBe("corrupt-file");
    writeFileSync(model(), "<!doctype html>");
    expect(await codeOfOpening()).toBe("corrupt-file");
    copyFileSync(join(minilmModelFolder, "model.int8.onnx"), model());
    for (const file of ["config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json"]) {
      truncateSync(join(folder, file), 30);
      expect(await codeOfOpening()).toBe("corrupt-file");
      copyFileSync(join(minilmModelFolder, file), join(folder, file));
    }
    expect(await codeOfOpening()).toBe("opened");
  });

  test("is refused when the tokenizer belongs to another model", async () => {
    cpSync(minilmModelFolder, folder, { recursive: true });
    const file = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8"));
    file.model.vocab.refund = 999_999;
    writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(file));
    const encoder = await createOnnxEncoder(folder);
    await expect(encoder.encode(["refund"])).rejects.toMatchObject({ code: "corrupt-file" });
    await encoder.dispose();
  });

  test("is refused when it is not given as a path", async () => {
    await expect(createOnnxEncoder(undefined as unknown as string)).rejects.toMatchObject({ code: "invalid-argument" });
  });
});
