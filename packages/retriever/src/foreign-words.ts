/*
 * Words of a run of text that holds letters outside ASCII. Accents are folded (é → e, ü → u, Ａ → A); scripts written without
 * spaces are cut by Intl.Segmenter, which is created only when the first such text is seen (it loads dictionaries).
 */

/** Combining accents, Hebrew points and Arabic vowel signs: readers leave them out at will, so search must not need them. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i" };
const UNDECOMPOSED_LETTERS = /[ßæœøđłı]/g;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A word: letters with their marks, or digits; or one pictograph, since a tool may be named by nothing else. */
const WORD = /[\p{L}\p{M}]+|\p{N}+|\p{Extended_Pictographic}/gu;
const LOWER_THEN_UPPER = /(\p{Ll})(\p{Lu})/gu;

/** Intl.Segmenter's time grows faster than its text; a word cut in two at every so many characters does not matter. */
const SEGMENTED_AT_ONCE = 2_000;

let segmenter: Intl.Segmenter | undefined;

/**
 * Appends the words of `run`, folded and in lower case, to `found`.
 *
 * @param longest A longer word is left out.
 */
export function appendForeignWords(run: string, longest: number, found: string[]): void {
  const plain = run.normalize("NFKD").replace(ACCENTS, "").normalize("NFC").replace(LOWER_THEN_UPPER, "$1 $2");
  const folded = plain.toLowerCase().replace(UNDECOMPOSED_LETTERS, (letter) => UNDECOMPOSED[letter] ?? letter);
  for (const word of folded.match(WORD) ?? []) {
    if (SPACELESS.test(word)) appendSegments(word, longest, found);
    else if (word.length <= longest) found.push(word);
  }
}

function appendSegments(text: string, longest: number, found: string[]): void {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  for (let start = 0; start < text.length; start += SEGMENTED_AT_ONCE) {
    for (const { segment, isWordLike } of segmenter.segment(text.slice(start, start + SEGMENTED_AT_ONCE))) {
      if (isWordLike && segment.length <= longest) found.push(segment);
    }
  }
}
