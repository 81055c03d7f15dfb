import { appendForeignWords } from "./foreign-words.ts";
import { stem } from "./stem.ts";
import { contractionEndings } from "./stop-words.ts";

/** A longer run of letters is a key, a hash or a trick, not a word; it is not indexed. */
const LONGEST_WORD = 128;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const FOREIGN = 4;
const APOSTROPHE = 39;
const LOWER_S = 115;

const kinds = new Uint8Array(128);
for (let code = 97; code <= 122; code++) kinds[code] = LOWER;
for (let code = 65; code <= 90; code++) kinds[code] = UPPER;
for (let code = 48; code <= 57; code++) kinds[code] = DIGIT;

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
  const found: string[] = [];
  const length = text.length;
  let position = 0;
  while (position < length) {
    const kind = kindAt(text, position);
    if (kind === OTHER) position++;
    else if (kind === FOREIGN) position = foreignRun(text, position, found);
    else position = asciiWord(text, position, kind, found);
  }
  return found;
}

/** Whether a plain word is made of digits: such a word says something only in a name. */
export function isNumber(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}

function kindAt(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code < 128 ? kinds[code]! : FOREIGN;
}

/** Takes the ASCII word that begins at `start` and returns where the next one may begin. */
function asciiWord(text: string, start: number, firstKind: number, found: string[]): number {
  let position = start + 1;
  let previous = firstKind;
  let capitals = firstKind === UPPER;
  for (; position < text.length; position++) {
    const kind = kindAt(text, position);
    if (kind === FOREIGN && previous !== DIGIT) return foreignRun(text, start, found);
    if (kind === OTHER || kind === FOREIGN || (kind === DIGIT) !== (previous === DIGIT)) break;
    if (kind === UPPER) {
      if (previous === LOWER) break;
      capitals = true;
    } else if (kind === LOWER && previous === UPPER && position - start > 1 && !isPluralEnd(text, position)) {
      position--;
      break;
    }
    previous = kind;
  }
  const word = text.slice(start, position);
  if (word.length <= LONGEST_WORD && !isContractionEnd(text, start, word)) {
    found.push(capitals ? word.toLowerCase() : word);
  }
  return position;
}

/** Whether the small letter at `position` is the "s" of "URLs". */
function isPluralEnd(text: string, position: number): boolean {
  return text.charCodeAt(position) === LOWER_S && !(position + 1 < text.length && kindAt(text, position + 1) === LOWER);
}

function isContractionEnd(text: string, start: number, word: string): boolean {
  return (
    start > 1 &&
    text.charCodeAt(start - 1) === APOSTROPHE &&
    kindAt(text, start - 2) !== OTHER &&
    contractionEndings.has(word)
  );
}

/** Takes everything up to the next ASCII sign, so that letters and their accents stay together. */
function foreignRun(text: string, start: number, found: string[]): number {
  let end = start;
  while (end < text.length && kindAt(text, end) !== OTHER) end++;
  appendForeignWords(text.slice(start, end), found);
  return end;
}
