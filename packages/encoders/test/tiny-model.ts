import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type OnnxGraph, onnxModel } from "./onnx-file.ts";

/** Words of the tiny model, each with its vector; the first five are BERT's marks. */
export const tinyWords: Readonly<Record<string, readonly [number, number]>> = {
  "[PAD]": [0, 0],
  "[UNK]": [9, 9],
  "[CLS]": [1, 0],
  "[SEP]": [0, 1],
  "[MASK]": [7, 7],
  send: [2, 1],
  mail: [1, 3],
  query: [0, 6],
  ":": [5, 0],
};

const words = Object.keys(tinyWords);

/** A model whose token vectors are looked up in {@link tinyWords}: what it gives can be worked out by hand. */
export const tinyGraph: OnnxGraph = {
  nodes: [{ op: "Gather", inputs: ["table", "input_ids"], output: "last_hidden_state" }],
  constants: { table: { shape: [words.length, 2], numbers: Float32Array.from(Object.values(tinyWords).flat()) } },
  inputs: {
    input_ids: { type: "int64", shape: ["batch", "sequence"] },
    attention_mask: { type: "int64", shape: ["batch", "sequence"] },
  },
  outputs: { last_hidden_state: { type: "float", shape: ["batch", "sequence", 2] } },
};

/** A `tokenizer.json` of BERT's kind over {@link tinyWords}. */
export const tinyTokenizer: Readonly<Record<string, unknown>> = {
  added_tokens: words.slice(0, 5).map((content, id) => ({ id, content, special: true })),
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: { type: "BertProcessing", sep: ["[SEP]", 3], cls: ["[CLS]", 2] },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};

/** Writes a model's folder: the tiny graph and tokenizer, with `files` (by path, JSON unless bytes) beside or instead. */
export function writeModelFolder(folder: string, files: Readonly<Record<string, unknown>> = {}): string {
  const all = { "model.onnx": onnxModel(tinyGraph), "tokenizer.json": tinyTokenizer, ...files };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
  return folder;
}
