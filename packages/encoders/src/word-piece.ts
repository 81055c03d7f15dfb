import { type BertWordOptions, bertWords } from "./bert-words.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The ids of a text's tokens, and whether tokens past the limit were left out. */
export interface TokenIds {
  readonly ids: readonly number[];
  readonly cut: boolean;
}

export interface WordPieceOptions extends BertWordOptions {
  /** The id of a word that no pieces make up; left out, such words give no token. */
  readonly unknown?: number;
}

/** `tokenize("send mails", 8)` gives the ids of `send`, `mail`, `##s`. */
export interface WordPiece {
  tokenize(text: string, limit: number): TokenIds;
}

/** A longer word is unknown as a whole, as in BERT. */
const longestWord = 100;
/** Words whose pieces are remembered: a tool list repeats few words, and a hostile text must not fill the memory. */
const rememberedWords = 20_000;

/**
 * BERT's WordPiece: each word is cut greedily into the longest pieces known, from the left; pieces that continue a
 * word start with `##`; a word that cannot be cut so is unknown as a whole (Wu et al. 2016, section 4.1; Devlin et al.
 * 2018). Gives the ids that a `tokenizer.json` with `BertNormalizer` and `BertPreTokenizer` gives, but takes `[SEP]`
 * and its like in a text for what they are there, ordinary characters: a tool's description cannot smuggle them in.
 */
export function createWordPiece(vocabulary: Vocabulary, options: WordPieceOptions): WordPiece {
  const remembered = new Map<string, readonly number[]>();
  const unknown = options.unknown === undefined ? [] : [options.unknown];
  const piecesOf = (word: string) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const ids = cutWord(word, vocabulary) ?? unknown;
    if (word.length > longestWord) return ids;
    if (remembered.size >= rememberedWords) remembered.clear();
    // A copy: V8 makes a word part of its text, and remembering it would keep the whole text in memory.
    remembered.set(Array.from(word).join(""), ids);
    return ids;
  };
  const tokenize = (text: string, limit: number): TokenIds => {
    // A token takes at most one word and the space after it, so what lies beyond cannot be among the first `limit`,
    // blank stretches and overlong words aside.
    const longest = limit * (longestWord + 1);
    const ids: number[] = [];
    for (const word of bertWords(text.length > longest ? text.slice(0, longest) : text, options)) {
      for (const id of piecesOf(word)) {
        if (ids.length === limit) return { ids, cut: true };
        ids.push(id);
      }
    }
    return { ids, cut: text.length > longest };
  };
  return { tokenize };
}

function cutWord(word: string, vocabulary: Vocabulary): readonly number[] | undefined {
  if (word.length > longestWord && Array.from(word).length > longestWord) return undefined;
  const ids: number[] = [];
  let start = 0;
  while (start < word.length) {
    const prefix = start === 0 ? "" : "##";
    let end = Math.min(word.length, start + vocabulary.longest);
    let id = -1;
    for (; end > start; end--) {
      id = vocabulary.idOf(prefix + word.slice(start, end));
      if (id !== -1) break;
    }
    if (id === -1) return undefined;
    ids.push(id);
    start = end;
  }
  return ids;
}
