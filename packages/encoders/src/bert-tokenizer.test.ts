import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { minilmModelFolder } from "@setwise/model-minilm";
import { expect, test } from "vitest";
import { tinyTokenizer } from "../test/tiny-model.ts";
import { bertTokenizer } from "./bert-tokenizer.ts";

const file = JSON.parse(readFileSync(join(minilmModelFolder, "tokenizer.json"), "utf8"));
const reference = new Tokenizer(file, {});

test("texts and pairs get the ids and types that tokenizer.json asks for", () => {
  const tokenizer = bertTokenizer(file);
  const [first, second] = ["Put money back on the card", "refund_payment: Crème brûlée 返金 👍"];
  const one = reference.encode(first, { return_token_type_ids: true });
  const two = reference.encode(first, { text_pair: second, return_token_type_ids: true });
  expect(tokenizer?.encode(first, 512)).toEqual({ ids: one.ids, types: one.token_type_ids, cut: false, known: true });
  expect(tokenizer?.encodePair(first, second, 512)).toEqual({
    ids: two.ids,
    types: two.token_type_ids,
    cut: false,
    known: true,
  });
});

test("a cased model keeps case and accents", () => {
  const model = {
    ...(tinyTokenizer["model"] as object),
    vocab: { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2, Été: 3, ete: 4 },
  };
  const normalizer = { ...(tinyTokenizer["normalizer"] as object), lowercase: false };
  const cased = bertTokenizer({ ...tinyTokenizer, added_tokens: [], model, normalizer });
  expect(cased?.encode("Été ete", 9).ids).toEqual([1, 3, 4, 2]);
});

test.each([
  ["another model", { model: { ...(tinyTokenizer["model"] as object), type: "BPE" } }],
  ["another prefix", { model: { ...(tinyTokenizer["model"] as object), continuing_subword_prefix: "@@" } }],
  ["another normalizer", { normalizer: { type: "NFKC" } }],
  ["no normalizer", { normalizer: null }],
  ["another cut", { pre_tokenizer: { type: "Whitespace" } }],
  ["other marks", { post_processor: { type: "RobertaProcessing" } }],
  ["tokens of its own", { added_tokens: [{ id: 5, content: "send", special: false }] }],
  ["ids that are no numbers", { model: { ...(tinyTokenizer["model"] as object), vocab: { "[CLS]": "x" } } }],
])("a file with %s is left to others", (_, change) => {
  expect(bertTokenizer(tinyTokenizer)).toBeDefined();
  expect(bertTokenizer({ ...tinyTokenizer, ...change })).toBeUndefined();
});
