/*
 * JSON.parse says where it stopped in some Node versions and for some mistakes only, so the place is found here: one pass
 * over the tokens, with a stack of open brackets and no recursion. Only run on texts that JSON.parse has refused.
 */

/** Where a JSON text goes wrong, and how. */
export interface JsonError {
  /** Position in UTF-16 units. */
  readonly offset: number;
  readonly expected: string;
}

const space = /[\u0020\t\n\r]*/y;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
/** Characters of a string without its end; what stops it is the quote or the mistake. */
// eslint-disable-next-line no-control-regex -- JSON forbids control characters in strings
const stringBody = /(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))/y;

const wording = {
  value: "a value",
  firstValue: 'a value or "]"',
  key: "a key in double quotes",
  firstKey: 'a key in double quotes or "}"',
  colon: '":" after a key',
  afterValue: '"," or the closing bracket',
  end: "the end of the text",
} as const;
type State = keyof typeof wording;

interface Scan {
  readonly text: string;
  readonly open: ("{" | "[")[];
  state: State;
  offset: number;
}

/** The first mistake in `text`, or `undefined` if there is none. */
export function jsonError(text: string): JsonError | undefined {
  const scan: Scan = { text, open: [], state: "value", offset: 0 };
  for (;;) {
    scan.offset = skip(space, text, scan.offset);
    const character = text[scan.offset];
    if (character === undefined) {
      if (scan.state === "end") return undefined;
      return { offset: scan.offset, expected: `${wording[scan.state]}, but the text ends` };
    }
    const expected = step(scan, character);
    if (expected !== undefined) return { offset: scan.offset, expected };
  }
}

/** Reads one token; what was expected instead, if it is wrong. */
function step(scan: Scan, character: string): string | undefined {
  switch (scan.state) {
    case "end":
      return wording.end;
    case "colon":
      return character === ":" ? move(scan, "value") : wording.colon;
    case "afterValue":
      if (isClosing(scan, character)) return close(scan);
      return character === "," ? move(scan, scan.open.at(-1) === "{" ? "key" : "value") : wording.afterValue;
    case "firstKey":
    case "key":
      if (scan.state === "firstKey" && isClosing(scan, character)) return close(scan);
      return character === '"' ? string(scan, "colon") : wording[scan.state];
    default:
      if (scan.state === "firstValue" && isClosing(scan, character)) return close(scan);
      return value(scan, character);
  }
}

function value(scan: Scan, character: string): string | undefined {
  if (character === "{" || character === "[") {
    scan.open.push(character);
    return move(scan, character === "{" ? "firstKey" : "firstValue");
  }
  if (character === '"') return string(scan, afterValue(scan));
  const end = skip(literal, scan.text, scan.offset);
  if (end === scan.offset) return wording[scan.state];
  scan.offset = end;
  scan.state = afterValue(scan);
  return undefined;
}

function string(scan: Scan, next: State): string | undefined {
  scan.offset++;
  for (let end = scan.offset; ; scan.offset = end) {
    end = skip(stringBody, scan.text, scan.offset);
    if (end === scan.offset) break;
  }
  if (scan.text[scan.offset] === '"') return move(scan, next);
  return scan.text[scan.offset] === undefined
    ? "the end of a string, but the text ends"
    : "a character that may stand in a string";
}

function isClosing(scan: Scan, character: string): boolean {
  return character === (scan.open.at(-1) === "{" ? "}" : "]");
}

function close(scan: Scan): undefined {
  scan.open.pop();
  return move(scan, afterValue(scan));
}

function move(scan: Scan, state: State): undefined {
  scan.offset++;
  scan.state = state;
  return undefined;
}

function afterValue(scan: Scan): State {
  return scan.open.length === 0 ? "end" : "afterValue";
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
