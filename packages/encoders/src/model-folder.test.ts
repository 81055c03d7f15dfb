import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minilmModelFolder } from "@setwise/model-minilm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeModelFolder } from "../test/tiny-model.ts";
import { readModelFolder } from "./model-folder.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "setwise folder-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const read = (files: Readonly<Record<string, unknown>> = {}) => readModelFolder(writeModelFolder(folder, files));

test("MiniLM's folder says mean pooling, 256 tokens and no prompts", async () => {
  expect(await readModelFolder(minilmModelFolder)).toMatchObject({
    name: "all-MiniLM-L6-v2",
    modelFile: join(minilmModelFolder, "model.int8.onnx"),
    maxTokens: 256,
    pooling: "mean",
    furtherModules: [],
    prompts: { query: "", document: "" },
  });
});

test("a folder of model and tokenizer alone has the usual settings, and a name without blanks", async () => {
  const found = await read();
  expect(found).toMatchObject({ maxTokens: 512, pooling: "mean", prompts: { query: "", document: "" } });
  expect(found.name).toMatch(/^setwise-folder-\w+$/);
});

test.each([
  [{ "config.json": { max_position_embeddings: 64 } }, 64],
  [{ "config.json": { max_position_embeddings: 514 }, "tokenizer_config.json": { model_max_length: 512 } }, 512],
  [{ "tokenizer_config.json": { model_max_length: 1e30 } }, 512],
  [{ "sentence_bert_config.json": { max_seq_length: 128 }, "config.json": { max_position_embeddings: 512 } }, 128],
])("the length is the least that any file says: %j", async (files, expected) => {
  expect((await read(files)).maxTokens).toBe(expected);
});

describe("pooling", () => {
  test.each([
    [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, "cls"],
    [{ pooling_mode_mean_tokens: true }, "mean"],
    [{ pooling_mode_max_tokens: true }, "max"],
    [{ pooling_mode_mean_sqrt_len_tokens: true }, "mean_sqrt_len"],
    [{ pooling_mode_weightedmean_tokens: true }, "weightedmean"],
    [{ pooling_mode_lasttoken: true }, "lasttoken"],
    [{ pooling_mode: "cls" }, "cls"],
    [{ word_embedding_dimension: 2 }, "mean"],
  ])("%j is %s", async (config, expected) => {
    expect((await read({ "1_Pooling/config.json": config })).pooling).toBe(expected);
  });

  test.each([
    { pooling_mode_cls_token: true, pooling_mode_max_tokens: true },
    { pooling_mode: "attention" },
    { pooling_mode_mean_tokens: true, include_prompt: false },
  ])("%j is refused", async (config) => {
    await expect(read({ "1_Pooling/config.json": config })).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

test("modules say where transformer and pooling are, and what comes after them", async () => {
  const found = await read({
    "modules.json": [
      { type: "sentence_transformers.models.Transformer", path: "0_Transformer" },
      { type: "sentence_transformers.models.Pooling", path: "2_Other" },
      { type: "sentence_transformers.models.Dense", path: "3_Dense" },
      { type: "sentence_transformers.models.Normalize", path: "4_Normalize" },
    ],
    "0_Transformer/config.json": { max_position_embeddings: 77 },
    "2_Other/config.json": { pooling_mode_cls_token: true },
  });
  expect(found).toMatchObject({ maxTokens: 77, pooling: "cls", furtherModules: ["Dense"] });
});

test.each([
  [{ prompts: { query: "query: ", document: "text: " } }, { query: "query: ", document: "text: " }],
  [{ prompts: { query: "q ", passage: "p " } }, { query: "q ", document: "p " }],
  [
    { prompts: { both: "b " }, default_prompt_name: "both" },
    { query: "b ", document: "b " },
  ],
  [
    { prompts: { query: 3 }, default_prompt_name: null },
    { query: "", document: "" },
  ],
  [{ prompts: null }, { query: "", document: "" }],
])("prompts are read from %j", async (config, expected) => {
  expect((await read({ "config_sentence_transformers.json": config })).prompts).toEqual(expected);
});

test("a file of another name is taken when it is named, and whole precision where both are there", async () => {
  const bytes = Buffer.from("model");
  const found = await read({ "onnx/model_quantized.onnx": bytes, "other/net.onnx": bytes });
  expect(found.modelFile).toBe(join(folder, "model.onnx"));
  expect((await readModelFolder(folder, "other/net.onnx")).modelFile).toBe(join(folder, "other/net.onnx"));
  await expect(readModelFolder(folder, "none.onnx")).rejects.toMatchObject({ code: "unreadable-source" });
});

test("a file that holds no object is damaged", async () => {
  for (const config of [Buffer.from("[1"), Buffer.from(""), 3, "text", null])
    await expect(read({ "config.json": config })).rejects.toMatchObject({ code: "corrupt-file" });
});

test.skipIf(process.platform === "win32").each(["tokenizer.json", "modules.json", "config.json"])(
  "a pipe in place of %s is refused and not waited for",
  async (file) => {
    writeModelFolder(folder);
    rmSync(join(folder, file), { force: true });
    execFileSync("mkfifo", [join(folder, file)]);
    const refusal = { code: "unreadable-source", message: expect.stringContaining(`${file} is no regular file`) };
    await expect(readModelFolder(folder)).rejects.toMatchObject(refusal);
  },
  2_000,
);

test("what is not there, or is no folder, is said to be so before any file is missed in it", async () => {
  writeModelFolder(folder);
  const refusal = (message: RegExp) => ({ code: "unreadable-source", message: expect.stringMatching(message) });
  await expect(readModelFolder(join(folder, "nowhere"))).rejects.toMatchObject(
    refusal(/^There is no folder .*nowhere\. /),
  );
  for (const file of ["model.onnx", join("model.onnx", "inside")])
    await expect(readModelFolder(join(folder, file))).rejects.toMatchObject(
      refusal(/expected one with an ONNX model|There is no folder/),
    );
});

test("a folder in place of a file is refused, and a file larger than any such is not read", async () => {
  writeModelFolder(folder);
  mkdirSync(join(folder, "modules.json"));
  await expect(readModelFolder(folder)).rejects.toMatchObject({ code: "unreadable-source" });
  rmSync(join(folder, "modules.json"), { recursive: true });
  writeFileSync(join(folder, "config.json"), "{}");
  // A hole of zeros that takes no room on the disk.
  truncateSync(join(folder, "config.json"), 2 ** 27 + 1);
  const refusal = { code: "too-large", message: expect.stringContaining("134217729 bytes") };
  await expect(readModelFolder(folder)).rejects.toMatchObject(refusal);
});

test.each([
  "ftp://user:PASSWORD@host/models",
  " http://user:PASSWORD@host",
  "\thttps://key-PASSWORD@host",
  "S3://PASSWORD",
])("the address %j is no folder, and is not shown", async (address) => {
  const error: unknown = await readModelFolder(address).catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    code: "invalid-argument",
    message: expect.stringMatching(/folder must be .* address/),
  });
  expect(String(error)).not.toContain("PASSWORD");
});
