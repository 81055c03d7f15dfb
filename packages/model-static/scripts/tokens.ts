import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import type { TokenizedTexts } from "./table.ts";

/** As many tokens as the teacher reads. */
const mostTokens = 256;
/** `[PAD]`, `[unused17]` and their like: no text has them. */
const mark = /^\[(?:PAD|UNK|CLS|SEP|MASK|unused\d+)\]$/;

export interface Tokens {
  /** Row i of the table is that of `pieces[i]`. */
  readonly pieces: readonly string[];
  /** The model's own id of each piece. */
  readonly ids: readonly number[];
  /** The ids of the marks before and after a text. */
  readonly marks: { readonly first: number; readonly last: number };
  tokenize(texts: readonly string[]): TokenizedTexts;
}

/** The word pieces of a model's folder, marks left out, and texts cut into them. */
export async function readTokens(folder: string): Promise<Tokens> {
  const file = JSON.parse(await readFile(join(folder, "tokenizer.json"), "utf8")) as {
    readonly model: { readonly vocab: Readonly<Record<string, number>> };
  };
  const tokenizer = new Tokenizer({ ...file, truncation: null, padding: null }, {});
  const pieces = Object.keys(file.model.vocab).filter((piece) => !mark.test(piece));
  const idOf = (piece: string) => file.model.vocab[piece] ?? -1;
  const pieceIds = pieces.map(idOf);
  const rows = new Map(pieceIds.map((id, row) => [id, row]));
  const tokenize: Tokens["tokenize"] = (texts) => {
    const starts = Int32Array.from({ length: texts.length + 1 }, () => 0);
    const ids: number[] = [];
    for (const [text, content] of texts.entries()) {
      const encoded = content === "" ? [] : tokenizer.encode(content, { add_special_tokens: false }).ids;
      for (const id of encoded.slice(0, mostTokens)) {
        const row = rows.get(id);
        if (row !== undefined) ids.push(row);
      }
      starts[text + 1] = ids.length;
    }
    return { starts, ids: Int32Array.from(ids) };
  };
  return { pieces, ids: pieceIds, marks: { first: idOf("[CLS]"), last: idOf("[SEP]") }, tokenize };
}
