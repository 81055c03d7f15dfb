/** What is longer is neither a quotation (its first mark is a stray one) nor an address. */
const LONGEST = 500;

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
  const spans = [...quotations(text), ...addresses(text)].sort((a, b) => a.start - b.start);
  let last = 0;
  return spans.filter(({ start, end }) => {
    if (start < last) return false;
    last = end;
    return true;
  });
}

function addresses(text: string): Span[] {
  const spans: Span[] = [];
  ADDRESS.lastIndex = 0;
  for (let match = ADDRESS.exec(text); match !== null; match = ADDRESS.exec(text)) {
    const sign = match.index;
    const afterSign = sign + match[0].length;
    let start = sign;
    let end = afterSign;
    while (start > 0 && sign - start < LONGEST && !SPACE.test(text[start - 1] ?? " ")) start--;
    while (end < text.length && end - sign < LONGEST && !SPACE.test(text[end] ?? " ")) end++;
    if (start < sign && end > afterSign) spans.push({ start, end });
    ADDRESS.lastIndex = end;
  }
  return spans;
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
  const limit = Math.min(text.length, start + LONGEST);
  for (let position = start + 2; position < limit && text[position] !== "\n"; position++) {
    if (text[position] === mark && !WORD_SIGN.test(text[position + 1] ?? "")) return position + 1;
  }
  return undefined;
}
