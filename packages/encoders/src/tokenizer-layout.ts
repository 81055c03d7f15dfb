import type { TokenIds } from "./word-piece.ts";

/** Marks that stand around texts, with the type (segment) each belongs to. */
export interface Marks {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** What a model wants around one text, and around two. */
export interface TokenizerLayout {
  readonly single: { readonly before: Marks; readonly type: number; readonly after: Marks };
  readonly pair: {
    readonly before: Marks;
    readonly first: number;
    readonly between: Marks;
    readonly second: number;
    readonly after: Marks;
  };
}

/** One text, or two, as a model reads it. */
export interface EncodedText {
  readonly ids: readonly number[];
  readonly types: readonly number[];
  /** Tokens were left out. */
  readonly cut: boolean;
  /** At least one token between the marks is known to the model. */
  readonly known: boolean;
}

/** Texts to what a model reads, of at most `maxTokens` tokens, marks included. */
export interface TextTokenizer {
  encode(text: string, maxTokens: number): EncodedText;
  /** Cuts the longer text first, as tokenizers call `longest_first`. */
  encodePair(first: string, second: string, maxTokens: number): EncodedText;
}

/** A tokenizer from the function that cuts bare texts; `unknown` is the id of what the vocabulary lacks, if any. */
export function withLayout(
  tokenize: (text: string, limit: number) => TokenIds,
  { single, pair }: TokenizerLayout,
  unknown: number | undefined,
): TextTokenizer {
  const isKnown = (ids: readonly number[]) => ids.some((id) => id !== unknown);
  const encode = (text: string, maxTokens: number): EncodedText => {
    const { ids, cut } = tokenize(text, Math.max(0, maxTokens - single.before.ids.length - single.after.ids.length));
    const body = { ids, types: ids.map(() => single.type) };
    return { ...joinMarks([single.before, body, single.after]), cut, known: isKnown(ids) };
  };
  const encodePair = (first: string, second: string, maxTokens: number): EncodedText => {
    const marks = [pair.before, pair.between, pair.after].reduce((sum, { ids }) => sum + ids.length, 0);
    const room = Math.max(0, maxTokens - marks);
    const [left, right] = [tokenize(first, room), tokenize(second, room)];
    const [keptLeft, keptRight] = lengthsWithin(room, left.ids.length, right.ids.length);
    const leftBody = { ids: left.ids.slice(0, keptLeft), types: Array.from({ length: keptLeft }, () => pair.first) };
    const rightBody = {
      ids: right.ids.slice(0, keptRight),
      types: Array.from({ length: keptRight }, () => pair.second),
    };
    const cut = left.cut || right.cut || keptLeft < left.ids.length || keptRight < right.ids.length;
    const known = isKnown(left.ids) && isKnown(right.ids);
    return { ...joinMarks([pair.before, leftBody, pair.between, rightBody, pair.after]), cut, known };
  };
  return { encode, encodePair };
}

function joinMarks(parts: readonly Marks[]): Marks {
  return { ids: parts.flatMap(({ ids }) => ids), types: parts.flatMap(({ types }) => types) };
}

/** Both lengths cut to `room` together: the longer gives way until both are equal; of an odd rest it keeps one more. */
function lengthsWithin(room: number, left: number, right: number): readonly [number, number] {
  if (left + right <= room) return [left, right];
  const shorter = Math.min(left, right, Math.floor(room / 2));
  return left > right ? [room - shorter, shorter] : [shorter, room - shorter];
}
