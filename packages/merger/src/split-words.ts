/** Longer runs of letters are keys or tricks, not words. */
const LONGEST_WORD = 64;
/** Of a text so many words are looked at. */
const MOST_WORDS = 400;
const WORD = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+(?:\.[0-9]+)?|[^\0-\x7f]+/g;
const CONTRACTION_END = /(?<=[A-Za-z])['’](?:s|t|d|ll|re|ve|m)(?![A-Za-z0-9])/g;

/** The words of an identifier or a text in lower case: `getHTTPHeaders_v2` is `get`, `http`, `headers`, `v`, `2`. */
export function splitWords(text: string): string[] {
  const found: string[] = [];
  for (const word of text.replace(CONTRACTION_END, "").match(WORD) ?? []) {
    if (word.length > LONGEST_WORD) continue;
    found.push(word.toLowerCase());
    if (found.length >= MOST_WORDS) break;
  }
  return found;
}
