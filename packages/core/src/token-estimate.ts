import type { TokenCounter } from "./ports.ts";

/*
 * tokens(text) ≈ Σ over runs of characters of one kind:
 *   n letters  1 + floor((n − 1) / 10)        n digits  ceil(n / 3)
 *   one sign   0.7 (it often joins its word)   n signs   1, and 1 more for every 8 beyond the first
 *   a letter outside ASCII 0.25, of a script without spaces 0.5; white space is free
 * Fitted to the o200k vocabulary on tool definitions; how well it does stands in docs/decisions/2026-11-30-token-estimate.md.
 */
const LETTERS_PER_EXTRA_TOKEN = 10;
const DIGITS_PER_TOKEN = 3;
const TOKENS_FOR_LONE_SIGN = 0.7;
const SIGNS_PER_EXTRA_TOKEN = 8;
const TOKENS_PER_FOREIGN_LETTER = 0.25;
const TOKENS_PER_IDEOGRAPH = 0.5;
/** Where the scripts of East Asia begin. */
const FIRST_IDEOGRAPH = 0x2e80;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isAsciiLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isSign = (code: number): boolean => code > 32 && code < 127 && !isDigit(code) && !isAsciiLetter(code);

/** Tokens of `text`, estimated in one pass without a vocabulary. */
function estimate(text: string): number {
  let total = 0;
  let position = 0;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    const kind = isAsciiLetter(code) ? isAsciiLetter : isDigit(code) ? isDigit : isSign(code) ? isSign : undefined;
    const end = kind === undefined ? position + 1 : endOfRun(text, position, kind);
    const length = end - position;
    if (kind === isAsciiLetter) total += 1 + Math.floor((length - 1) / LETTERS_PER_EXTRA_TOKEN);
    else if (kind === isDigit) total += Math.ceil(length / DIGITS_PER_TOKEN);
    else if (kind === isSign)
      total += length === 1 ? TOKENS_FOR_LONE_SIGN : 1 + Math.floor((length - 1) / SIGNS_PER_EXTRA_TOKEN);
    else if (code > 127) total += code >= FIRST_IDEOGRAPH ? TOKENS_PER_IDEOGRAPH : TOKENS_PER_FOREIGN_LETTER;
    position = end;
  }
  return Math.ceil(total);
}

function endOfRun(text: string, start: number, is: (code: number) => boolean): number {
  let end = start + 1;
  while (end < text.length && is(text.charCodeAt(end))) end++;
  return end;
}

/** The default counter: an estimate that needs no vocabulary and costs one pass over the text. */
export const tokenEstimate: TokenCounter = { name: "estimate", count: estimate };
