/** Longer runs of letters are keys or tricks, not words. */
const LONGEST_WORD = 40;
/** Of a text so many characters and words are looked at. */
const LONGEST_TEXT = 2_000;
const MOST_WORDS = 200;
const WORD = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\0-\x7f]+/g;

/** The words of a name or text in lower case and the singular: `getUserIDs` is `get`, `user`, `id`. */
export function wordsOf(text: string): string[] {
  const found: string[] = [];
  for (const word of text.slice(0, LONGEST_TEXT).match(WORD) ?? []) {
    if (word.length > LONGEST_WORD) continue;
    found.push(singular(word.toLowerCase()));
    if (found.length >= MOST_WORDS) break;
  }
  return found;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 2 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Words that say nothing of what a text is about. */
const EMPTY: ReadonlySet<string> = new Set(
  `a an the of to for in on at by with and or is are be from this that it its as if can will you your i me my we our please want need
  would like also then help into about some any all given specified which what how not no used use using must should when where e g etc
  value parameter optional required default format example string number`.split(/\s+/),
);

export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word);
}
