import { fillerStems } from "./filler-words.ts";
import { literalSpans } from "./literal-spans.ts";
import type { Scratch } from "./scratch.ts";
import { stem } from "./stem.ts";
import { synonymsOf } from "./synonyms.ts";
import type { ToolIndex } from "./tool-index.ts";
import { termsAlike } from "./terms-alike.ts";
import { isNumber, plainWords } from "./words.ts";

/** Two words are tried as one ("time zone", "timezone") if together they have so many letters. */
const SHORTEST_JOINED = 6;
const LONGEST_JOINED = 20;

/** For an explanation: the word of the query from which a term came. */
export type Origins = Map<number, string>;

interface Filling {
  readonly index: ToolIndex;
  readonly scratch: Scratch;
  readonly origins: Origins | undefined;
}

/**
 * Fills `scratch.terms` (the first `scratch.termCount`) with the distinct terms that `text` asks for and
 * `scratch.termWeights` (by term) with what they count: its words 1, filler words and words of quotations and addresses
 * less, synonyms less, and for a word that no tool has the terms that begin alike. A term counts as its best reason.
 */
export function fillBag(index: ToolIndex, text: string, scratch: Scratch, origins?: Origins): void {
  const filling: Filling = { index, scratch, origins };
  scratch.bag++;
  scratch.termCount = 0;
  let from = 0;
  for (const { start, end } of literalSpans(text)) {
    addWords(filling, text.slice(from, start), 1);
    addWords(filling, text.slice(start, end), index.options.literalWeight);
    from = end;
  }
  addWords(filling, from === 0 ? text : text.slice(from), 1);
}

function addWords(filling: Filling, text: string, weight: number): void {
  let previous = "";
  for (const word of plainWords(text)) {
    const joined = previous.length + word.length;
    if (joined >= SHORTEST_JOINED && joined <= LONGEST_JOINED && previous !== "" && !isNumber(word)) {
      addTerm(filling, stem(previous + word), weight * filling.index.options.joinedWeight, word);
    }
    addWord(filling, word, weight);
    previous = isNumber(word) ? "" : word;
  }
}

function addWord(filling: Filling, word: string, weight: number): void {
  const { index, scratch } = filling;
  const stemmed = stem(word);
  if (stemmed === "") return;
  const own = fillerStems.has(stemmed) ? weight * index.options.fillerWeight : weight;
  if (!addTerm(filling, stemmed, own, word) && !isNumber(word)) {
    for (const term of termsAlike(index, stemmed, scratch))
      raise(filling, term, own * index.options.beginningWeight, word);
  }
  const synonyms = synonymsOf.get(stemmed);
  if (synonyms === undefined) return;
  for (const synonym of synonyms) addTerm(filling, synonym, own * index.options.synonymWeight, word);
}

/** Whether any tool has the term. */
function addTerm(filling: Filling, stemmed: string, weight: number, word: string): boolean {
  const term = filling.index.vocabulary.get(stemmed);
  if (term !== undefined) raise(filling, term, weight, word);
  return term !== undefined;
}

function raise({ scratch, origins }: Filling, term: number, weight: number, word: string): void {
  const isNew = scratch.seenIn[term] !== scratch.bag;
  if (weight === 0 || (!isNew && scratch.termWeights[term]! >= weight)) return;
  scratch.termWeights[term] = weight;
  origins?.set(term, word);
  if (!isNew) return;
  scratch.seenIn[term] = scratch.bag;
  scratch.terms[scratch.termCount++] = term;
}
