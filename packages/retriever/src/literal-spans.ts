/** A quotation that does not end within so many characters is an apostrophe or a stray mark. */
const LONGEST_QUOTATION = 500;

const closingMarks: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
  ["「", "」"],
]);
const OPENING = /["'`“‘«「]/g;
const ADDRESS = /@|:\/\//g;
const WORD_SIGN = /[\p{L}\p{N}]/u;
const SPACE = /\s/;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a query holds values instead of saying what is wanted: quotations, mail and web addresses. In order, without
 * overlaps, in linear time.
 */
export function literalSpans(text: string): readonly Span[] {
  const spans = quotations(text);
  for (const match of text.matchAll(ADDRESS)) {
    let start = match.index;
    let end = match.index + match[0].length;
    // An address is as long as a word may be; further on it is something else, and the search must stay linear.
    while (start > 0 && match.index - start < LONGEST_QUOTATION && !SPACE.test(text[start - 1] ?? " ")) start--;
    while (end < text.length && end - match.index < LONGEST_QUOTATION && !SPACE.test(text[end] ?? " ")) end++;
    if (end > match.index + match[0].length && start < match.index) spans.push({ start, end });
  }
  spans.sort((a, b) => a.start - b.start);
  let last = 0;
  return spans.filter(({ start, end }) => {
    if (start < last) return false;
    last = end;
    return true;
  });
}

function quotations(text: string): Span[] {
  const spans: Span[] = [];
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const start = match.index;
    if (start > 0 && WORD_SIGN.test(text[start - 1] ?? "")) continue;
    const end = quotationEnd(text, start, closingMarks.get(match[0]) ?? match[0]);
    if (end === undefined) continue;
    spans.push({ start, end });
    OPENING.lastIndex = end;
  }
  return spans;
}

/** The position after the closing mark: the first one that no letter follows, on the same line. */
function quotationEnd(text: string, start: number, mark: string): number | undefined {
  const limit = Math.min(text.length, start + LONGEST_QUOTATION);
  for (let position = start + 2; position < limit && text[position] !== "\n"; position++) {
    if (text[position] === mark && !WORD_SIGN.test(text[position + 1] ?? "")) return position + 1;
  }
  return undefined;
}
