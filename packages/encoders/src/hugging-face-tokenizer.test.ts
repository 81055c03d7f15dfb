import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minilmModelFolder } from "@setwise/model-minilm";
import { expect, test } from "vitest";
import { bertTokenizer } from "./bert-tokenizer.ts";
import { huggingFaceTokenizer } from "./hugging-face-tokenizer.ts";

const bert = JSON.parse(readFileSync(join(minilmModelFolder, "tokenizer.json"), "utf8"));

/** A byte-level tokenizer as RoBERTa has it, with so few merges that tokens are single letters but for "in". */
const letters = [..."abcdefghijklmnopqrstuvwxyzĠ"];
const roberta = {
  added_tokens: ["<s>", "<pad>", "</s>", "<unk>"].map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: null,
  pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: {
    type: "RobertaProcessing",
    sep: ["</s>", 2],
    cls: ["<s>", 0],
    trim_offsets: true,
    add_prefix_space: false,
  },
  decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: "BPE",
    unk_token: "<unk>",
    vocab: Object.fromEntries(
      ["<s>", "<pad>", "</s>", "<unk>", ...letters, "in"].map((token, id) => [token, id] as const),
    ),
    merges: ["i n"],
  },
};

test("agrees with our own reader on BERT's tokenizer, pairs and cuts included", async () => {
  const [ours, theirs] = [bertTokenizer(bert), await huggingFaceTokenizer(bert, {}, "folder")];
  const long = "send a mail to everyone of the list ".repeat(40);
  for (const text of ["", "Put money back", "👍", "返金 refund", long])
    expect(theirs.encode(text, 64)).toEqual(ours?.encode(text, 64));
  for (const [first, second] of [
    ["", ""],
    ["money back", "refund_payment"],
    ["money back", long],
    [long, "money back"],
    [long, long],
  ] as const)
    expect(theirs.encodePair(first, second, 64)).toEqual(ours?.encodePair(first, second, 64));
});

test("a tokenizer of another kind puts its own marks around texts", async () => {
  const tokenizer = await huggingFaceTokenizer(roberta, {}, "folder");
  const id = (token: string) => roberta.model.vocab[token] ?? -1;
  expect(tokenizer.encode("in a", 9)).toEqual({
    ids: [0, id("in"), id("Ġ"), id("a"), 2],
    types: [0, 0, 0, 0, 0],
    cut: false,
    known: true,
  });
  // <s> A </s></s> B </s>, of which five tokens are marks or kept, "cd" and "ab" cut to one each.
  expect(tokenizer.encodePair("ab", "cd", 6)).toMatchObject({ ids: [0, id("a"), 2, 2, id("c"), 2], cut: true });
});

test("a text of which a Unigram model knows nothing is not known", async () => {
  const vocab = [
    ["<unk>", 0],
    ["▁mail", -1],
    ["▁", -2],
    ["</s>", 0],
    ["▁first", -3],
    ["▁second", -3],
  ];
  const unigram = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
    post_processor: null,
    decoder: null,
    model: { type: "Unigram", unk_id: 0, vocab },
  };
  const tokenizer = await huggingFaceTokenizer(unigram, {}, "folder");
  expect(tokenizer.encode("mail", 8)).toMatchObject({ ids: [1], known: true });
  expect(tokenizer.encode("zzz", 8).ids).toContain(0);
});

test("a text of a megabyte is cut before it is read", async () => {
  const tokenizer = await huggingFaceTokenizer(roberta, {}, "folder");
  const { ids, cut } = tokenizer.encode("in ".repeat(350_000), 16);
  expect([ids.length, cut]).toEqual([16, true]);
});

test("a file that is no tokenizer is damaged", async () => {
  for (const file of [{}, { model: { type: "Nothing" } }, { model: null }])
    await expect(huggingFaceTokenizer(file, {}, "folder")).rejects.toMatchObject({ code: "corrupt-file" });
});

test.each([1.5, -1, 2 ** 31, "3", null, Number.NaN])("a vocabulary with the id %j is damaged", async (id) => {
  const damaged = { code: "corrupt-file", message: expect.stringMatching(/"in" the id .*whole number/) };
  const vocab = { ...roberta.model.vocab, in: id };
  const wrong = { ...roberta, model: { ...roberta.model, vocab } };
  await expect(huggingFaceTokenizer(wrong, {}, "folder")).rejects.toMatchObject(damaged);
  const added = { ...roberta, added_tokens: [...roberta.added_tokens, { content: "in", id }] };
  await expect(huggingFaceTokenizer(added, {}, "folder")).rejects.toMatchObject(damaged);
});
