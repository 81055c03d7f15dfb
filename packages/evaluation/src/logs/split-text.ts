/*
 * Cutting a stream of text into the JSON values it holds, with no more in memory than one of them. Neither form is parsed here.
 */

/** One value's text, or `undefined` where it was longer than the limit. `line` is the 1-based line where it begins. */
export interface Piece {
  readonly text: string | undefined;
  readonly line: number;
}

/** Takes chunks of text and gives the pieces that are complete; `end` gives what is left. */
export interface Splitter {
  push(chunk: string): readonly Piece[];
  end(): readonly Piece[];
}

/** One value a line; empty lines are left out. A line without its end is given at the end, as it is. */
export function lineSplitter(limit: number): Splitter {
  let held = "";
  let tooLong = false;
  let line = 1;
  const finish = (): readonly Piece[] => {
    const piece = { text: tooLong ? undefined : held, line };
    const empty = !tooLong && held.trim() === "";
    held = "";
    tooLong = false;
    line += 1;
    return empty ? [] : [piece];
  };
  const keep = (text: string): void => {
    if (held.length + text.length > limit) tooLong = true;
    held = tooLong ? "" : held + text;
  };
  return {
    push: (chunk) => {
      const pieces: Piece[] = [];
      let start = 0;
      for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
        keep(chunk.slice(start, end));
        pieces.push(...finish());
        start = end + 1;
      }
      keep(chunk.slice(start));
      return pieces;
    },
    end: finish,
  };
}

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const NEWLINE = 10;
const BACKSLASH = 92;
const OPENING: ReadonlySet<number> = new Set([91, 123]);
const CLOSING: ReadonlySet<number> = new Set([93, 125]);

/** The elements of one JSON array, however many lines each takes. */
export function elementSplitter(limit: number): Splitter {
  let held = "";
  let tooLong = false;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let line = 1;
  let firstLine: number | undefined;

  const keep = (text: string): void => {
    if (held.length + text.length > limit) tooLong = true;
    held = tooLong ? "" : held + text;
  };
  const finish = (): readonly Piece[] => {
    const piece = { text: tooLong ? undefined : held.trim(), line: firstLine ?? line };
    held = "";
    tooLong = false;
    firstLine = undefined;
    return piece.text === "" ? [] : [piece];
  };

  const push = (chunk: string): readonly Piece[] => {
    const pieces: Piece[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === NEWLINE) line += 1;
      else if (depth > 0 && code > SPACE) firstLine ??= line;
      if (escaped) escaped = false;
      else if (inString) {
        if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) inString = true;
      else if (OPENING.has(code)) {
        depth += 1;
        // The array's own bracket is no part of an element.
        if (depth === 1) start = at + 1;
      } else {
        if (CLOSING.has(code)) depth -= 1;
        const ends = (code === COMMA && depth === 1) || (CLOSING.has(code) && depth === 0);
        if (!ends) continue;
        keep(chunk.slice(start, at));
        pieces.push(...finish());
        start = at + 1;
      }
    }
    keep(chunk.slice(start));
    return pieces;
  };
  return { push, end: finish };
}

/** The whole text as one value. */
export function wholeText(limit: number): Splitter {
  let held = "";
  let tooLong = false;
  return {
    push: (chunk) => {
      if (held.length + chunk.length > limit) tooLong = true;
      held = tooLong ? "" : held + chunk;
      return [];
    },
    end: () => (held.trim() === "" && !tooLong ? [] : [{ text: tooLong ? undefined : held, line: 1 }]),
  };
}
