import type { TokenCounter } from "./ports.ts";

/*
 * tokens(text) ≈ Σ over runs of characters of one kind: a letter run of n letters costs 1 + floor((n − 1) / 7), a digit run
 * ceil(n / 3), punctuation half a token a sign, a letter outside ASCII 0.6 (0.8 for scripts without spaces).
 * Measured against the o200k vocabulary in docs/decisions; replace it where an exact count matters.
 */
const LETTERS_PER_EXTRA_TOKEN = 7;
const DIGITS_PER_TOKEN = 3;
const TOKENS_PER_SIGN = 0.5;
const TOKENS_PER_FOREIGN_LETTER = 0.6;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isAsciiLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** Tokens of `text`, estimated in one pass without a vocabulary. */
function estimate(text: string): number {
  let total = 0;
  let position = 0;
  while (position < text.length) {
    const start = position;
    const code = text.charCodeAt(position);
    if (isAsciiLetter(code)) {
      while (position < text.length && isAsciiLetter(text.charCodeAt(position))) position++;
      total += 1 + Math.floor((position - start - 1) / LETTERS_PER_EXTRA_TOKEN);
    } else if (isDigit(code)) {
      while (position < text.length && isDigit(text.charCodeAt(position))) position++;
      total += Math.ceil((position - start) / DIGITS_PER_TOKEN);
    } else {
      position++;
      if (code > 127) total += TOKENS_PER_FOREIGN_LETTER;
      else if (code > 32) total += TOKENS_PER_SIGN;
    }
  }
  return Math.ceil(total);
}

/** The default counter: an estimate that needs no vocabulary and costs one pass over the text. */
export const tokenEstimate: TokenCounter = { name: "estimate", count: estimate };
