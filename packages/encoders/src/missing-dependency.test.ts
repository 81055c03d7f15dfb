import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tinyTokenizer, writeModelFolder } from "../test/tiny-model.ts";
import { createOnnxEncoder } from "./onnx-encoder.ts";

vi.mock("onnxruntime-node", () => {
  throw Object.assign(new Error("Cannot find package 'onnxruntime-node'"), { code: "ERR_MODULE_NOT_FOUND" });
});
vi.mock("@huggingface/tokenizers", () => {
  throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
});

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "setwise-missing-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("without onnxruntime-node no model is opened", async () => {
  await expect(createOnnxEncoder(writeModelFolder(folder))).rejects.toMatchObject({
    code: "missing-dependency",
    message: expect.stringContaining("onnxruntime-node"),
  });
});

test("without @huggingface/tokenizers a file that is no tokenizer is damaged, and nothing is to be installed", async () => {
  for (const file of [{}, [], { model: null }, { model: { type: "WordPiece" } }])
    await expect(createOnnxEncoder(writeModelFolder(folder, { "tokenizer.json": file }))).rejects.toMatchObject({
      code: "corrupt-file",
      message: expect.stringMatching(/tokenizer\.json in .* is no tokenizer/),
    });
});

test("without @huggingface/tokenizers the error says what to install, where the tokenizer asks for it", async () => {
  const files = { "tokenizer.json": { ...tinyTokenizer, normalizer: null } };
  await expect(createOnnxEncoder(writeModelFolder(folder, files))).rejects.toMatchObject({
    code: "missing-dependency",
    message: expect.stringContaining("npm install @huggingface/tokenizers"),
  });
});
