import { SetwiseError, shownName } from "@setwise/core";
import { type Marks, type TextTokenizer, type TokenizerLayout, withLayout } from "./tokenizer-layout.ts";

/** What is used of `@huggingface/tokenizers`. */
interface Tokenizer {
  encode(
    text: string,
    options: { text_pair?: string; add_special_tokens: boolean; return_token_type_ids: true },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };
  token_to_id(token: string): number | undefined;
}

/** The most characters a token is taken to stand for, so that a megabyte of text is not tokenized for 512 tokens. */
const charactersPerToken = 101;
/** Models read ids as whole numbers of 32 or 64 bits. */
const maxTokenId = 2 ** 31 - 1;

/**
 * The tokenizer of any `tokenizer.json`, read by the optional package `@huggingface/tokenizers`. Names of marks that a
 * text contains (`</s>`) are taken for the marks, as that package does.
 *
 * Fails with `missing-dependency` without the package, with `corrupt-file` where it cannot read the file, or an id is no whole number.
 */
export async function huggingFaceTokenizer(
  file: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<TextTokenizer> {
  checkTokenIds(file, folder);
  const tokenizer = await open(file, config, folder);
  const bare = (text: string) => tokenizer.encode(text, { add_special_tokens: false, return_token_type_ids: true }).ids;
  const tokenize = (text: string, limit: number) => {
    const longest = limit * charactersPerToken;
    const ids = text === "" ? [] : bare(text.length > longest ? text.slice(0, longest) : text);
    return { ids: ids.length > limit ? ids.slice(0, limit) : ids, cut: ids.length > limit || text.length > longest };
  };
  return withLayout(tokenize, findLayout(tokenizer, bare, folder), unknownId(tokenizer, file["model"]));
}

/** Before the package is loaded: who has no tokenizer needs none to read it. */
function checkTokenIds(file: Readonly<Record<string, unknown>>, folder: string): void {
  const check = (token: string, id: unknown): void => {
    if (Number.isInteger(id) && Number(id) >= 0 && Number(id) <= maxTokenId) return;
    throw new SetwiseError(
      "corrupt-file",
      `tokenizer.json in ${folder} gives ${JSON.stringify(shownName(token))} the id ${shownName(String(id))}; expected a whole number from 0 to ${maxTokenId}. Export the tokenizer again.`,
      { source: folder },
    );
  };
  const { vocab } = (file["model"] ?? {}) as { readonly vocab?: unknown };
  if (typeof vocab !== "object" || vocab === null)
    throw new SetwiseError(
      "corrupt-file",
      `tokenizer.json in ${folder} is no tokenizer: it has no vocabulary. Get the file again.`,
      { source: folder },
    );
  // In Unigram models it is a list of pieces, whose ids are their positions.
  if (!Array.isArray(vocab)) {
    const table = vocab as Readonly<Record<string, unknown>>;
    for (const token in table) check(token, table[token]);
  }
  const added: unknown = file["added_tokens"];
  for (const token of Array.isArray(added) ? added : []) {
    const { content, id } = (token ?? {}) as { readonly content?: unknown; readonly id?: unknown };
    check(String(content), id);
  }
}

/** The id of what the vocabulary lacks: named by its token, or in Unigram models by its id. */
function unknownId(tokenizer: Tokenizer, model: unknown): number | undefined {
  const { unk_token: token, unk_id: id } = (model ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof token === "string") return tokenizer.token_to_id(token);
  return typeof id === "number" ? id : undefined;
}

async function open(
  file: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<Tokenizer> {
  const { Tokenizer } = await load(folder);
  try {
    return new Tokenizer(file, config);
  } catch (cause) {
    throw new SetwiseError("corrupt-file", `tokenizer.json in ${folder} cannot be used: ${String(cause)}`, {
      source: folder,
      cause,
    });
  }
}

async function load(folder: string): Promise<{ readonly Tokenizer: new (file: object, config: object) => Tokenizer }> {
  try {
    return await import("@huggingface/tokenizers");
  } catch (cause) {
    throw new SetwiseError(
      "missing-dependency",
      `The tokenizer of ${folder} is not BERT's, so it needs the package @huggingface/tokenizers: npm install @huggingface/tokenizers`,
      { source: folder, cause },
    );
  }
}

/** Where the marks stand, seen from how two short texts come out with and without them. */
function findLayout(tokenizer: Tokenizer, bare: (text: string) => readonly number[], folder: string): TokenizerLayout {
  const [first, second] = ["first", "second"];
  const [firstIds, secondIds] = [bare(first), bare(second)];
  const options = { add_special_tokens: true, return_token_type_ids: true } as const;
  const read = (text: string, pair?: string) => {
    const { ids, token_type_ids: types } = tokenizer.encode(
      text,
      pair === undefined ? options : { ...options, text_pair: pair },
    );
    return { ids, types: ids.map((_, index) => types?.[index] ?? 0) };
  };
  const single = read(first);
  const both = read(first, second);
  const at = indexOfRun(single.ids, firstIds, 0);
  const left = indexOfRun(both.ids, firstIds, 0);
  const right = indexOfRun(both.ids, secondIds, left + firstIds.length);
  if (at === -1 || left === -1 || right === -1)
    throw new SetwiseError(
      "corrupt-file",
      `tokenizer.json in ${folder} changes a text's tokens when marks are added.`,
      {
        source: folder,
      },
    );
  return {
    single: {
      before: cut(single, 0, at),
      type: single.types[at] ?? 0,
      after: cut(single, at + firstIds.length, single.ids.length),
    },
    pair: {
      before: cut(both, 0, left),
      first: both.types[left] ?? 0,
      between: cut(both, left + firstIds.length, right),
      second: both.types[right] ?? 0,
      after: cut(both, right + secondIds.length, both.ids.length),
    },
  };
}

function cut({ ids, types }: Marks, start: number, end: number): Marks {
  return { ids: ids.slice(start, end), types: types.slice(start, end) };
}

function indexOfRun(ids: readonly number[], run: readonly number[], from: number): number {
  if (run.length === 0) return -1;
  for (let start = from; start + run.length <= ids.length; start++)
    if (run.every((id, index) => ids[start + index] === id)) return start;
  return -1;
}
