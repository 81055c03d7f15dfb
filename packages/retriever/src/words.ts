import { appendForeignWords } from "./foreign-words.ts";
import { stem } from "./stem.ts";

/** A longer run of letters is a key, a hash or a trick, not a word; it is not indexed. */
const LONGEST_WORD = 128;

/** What is left of a contraction after its apostrophe: "what's", "don't", "I'd", "we'll", "you're", "I've", "I'm". */
const CONTRACTION_END = /(?<=[A-Za-z])['’](?:s|t|d|ll|re|ve|m)(?![A-Za-z0-9])/gi;
/**
 * Acronyms in the plural, acronyms (their last capital left to the word it begins), words, numbers. Patterns instead of a
 * loop over characters: they run as machine code from the first text on, and most indexes are built in a young process.
 */
const ASCII_WORD = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const FOREIGN_SIGN = /[^\0-\x7f]/;
/** The same after everything up to an ASCII sign that holds a letter outside ASCII, so that letters and accents stay together. */
const ANY_WORD =
  /[A-Za-z]{0,128}[^\0-\x7f](?:[A-Za-z0-9]|[^\0-\x7f])*|[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/**
 * The content words of a text, in order and with repetitions: identifiers split, accents folded, stop words left out, English
 * stems. `words("getHTTPHeaders of the café")` is `["get", "http", "header", "cafe"]`.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const word of plainWords(text)) {
    const stemmed = stem(word);
    if (stemmed !== "") found.push(stemmed);
  }
  return found;
}

/**
 * The words of a text as they are written, in lower case, with no word left out but the ends of contractions. A word ends
 * where letters meet digits, where a capital follows a small letter ("userName"), and before the last capital of an acronym
 * that a small letter follows ("HTTPHeader"); a plural "s" stays with its acronym ("URLs").
 */
export function plainWords(text: string): string[] {
  const isForeign = FOREIGN_SIGN.test(text);
  const hasApostrophe = text.includes("'") || (isForeign && text.includes("’"));
  const plain = hasApostrophe ? text.replace(CONTRACTION_END, "") : text;
  return isForeign ? anyWords(plain) : asciiWords(plain);
}

function asciiWords(text: string): string[] {
  const found: string[] = text.match(ASCII_WORD) ?? [];
  let kept = 0;
  for (let place = 0; place < found.length; place++) {
    const word = found[place]!;
    if (word.length <= LONGEST_WORD) found[kept++] = word.toLowerCase();
  }
  found.length = kept;
  return found;
}

function anyWords(text: string): string[] {
  const found: string[] = [];
  for (const run of text.match(ANY_WORD) ?? []) {
    if (FOREIGN_SIGN.test(run)) appendForeignWords(run, LONGEST_WORD, found);
    else if (run.length <= LONGEST_WORD) found.push(run.toLowerCase());
  }
  return found;
}

/** Whether a plain word is made of digits: such a word says something only in a name. */
export function isNumber(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}
