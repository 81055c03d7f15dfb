import { type TextTokenizer, type TokenizerLayout, withLayout } from "./tokenizer-layout.ts";
import { vocabularyOf } from "./vocabulary.ts";
import { createWordPiece } from "./word-piece.ts";

/**
 * The tokenizer of a parsed `tokenizer.json` where it is BERT's WordPiece to the letter; `undefined` where anything in
 * it is otherwise, so that another reader of such files takes over.
 */
export function bertTokenizer(file: Readonly<Record<string, unknown>>): TextTokenizer | undefined {
  const model = record(file["model"]);
  const normalizer = record(file["normalizer"]);
  const { lowercase, strip_accents: stripAccents } = normalizer;
  const isBert =
    model["type"] === "WordPiece" &&
    model["continuing_subword_prefix"] === "##" &&
    (model["max_input_chars_per_word"] ?? 100) === 100 &&
    normalizer["type"] === "BertNormalizer" &&
    normalizer["clean_text"] === true &&
    normalizer["handle_chinese_chars"] === true &&
    record(file["pre_tokenizer"])["type"] === "BertPreTokenizer";
  if (!isBert) return undefined;
  const ids = vocabularyTable(model["vocab"]);
  const unknown = ids?.get(String(model["unk_token"]));
  const layout = bertLayout(record(file["post_processor"]), ids);
  if (ids === undefined || unknown === undefined || layout === undefined || addsTokens(file["added_tokens"], ids))
    return undefined;
  const wordPiece = createWordPiece(vocabularyOf(ids), {
    lowercase: lowercase === true,
    stripAccents: typeof stripAccents === "boolean" ? stripAccents : lowercase === true,
    unknown,
  });
  return withLayout(wordPiece.tokenize, layout, unknown);
}

/** `[CLS] A [SEP]` and `[CLS] A [SEP] B [SEP]` with types 0 and 1, in either way of writing it. */
function bertLayout(
  processor: Readonly<Record<string, unknown>>,
  ids: ReadonlyMap<string, number> | undefined,
): TokenizerLayout | undefined {
  const standard = processor["type"] === "BertProcessing" || templateText(processor) === bertTemplate;
  const [start, end] = [ids?.get("[CLS]"), ids?.get("[SEP]")];
  if (!standard || start === undefined || end === undefined) return undefined;
  const mark = (id: number, type: number) => ({ ids: [id], types: [type] });
  return {
    single: { before: mark(start, 0), type: 0, after: mark(end, 0) },
    pair: { before: mark(start, 0), first: 0, between: mark(end, 0), second: 1, after: mark(end, 1) },
  };
}

const bertTemplate = "[CLS]:0 A:0 [SEP]:0 | [CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1";

function templateText(processor: Readonly<Record<string, unknown>>): string | undefined {
  if (processor["type"] !== "TemplateProcessing") return undefined;
  const text = (template: unknown) =>
    (Array.isArray(template) ? template : [])
      .map((part) => {
        const { id, type_id: type } = record(record(part)["SpecialToken"] ?? record(part)["Sequence"]);
        return `${String(id)}:${String(type)}`;
      })
      .join(" ");
  return `${text(processor["single"])} | ${text(processor["pair"])}`;
}

/** The table as a map; a loop over the keys takes a third of the time that `Object.entries` takes for 30,000 of them. */
function vocabularyTable(vocabulary: unknown): ReadonlyMap<string, number> | undefined {
  const table = record(vocabulary);
  const ids = new Map<string, number>();
  for (const piece in table) {
    const id = table[piece];
    if (typeof id !== "number" || !Number.isInteger(id) || id < 0) return undefined;
    ids.set(piece, id);
  }
  return ids.size > 0 ? ids : undefined;
}

/** Whether the file adds tokens that texts may contain: all that BERT has are marks such as `[SEP]`. */
function addsTokens(added: unknown, ids: ReadonlyMap<string, number>): boolean {
  if (!Array.isArray(added)) return false;
  return added.some((token) => {
    const { content, special, id } = record(token);
    return special !== true || ids.get(String(content)) !== id;
  });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
