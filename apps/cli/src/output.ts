/** Where a command writes. */
export interface Output {
  /** To standard output. */
  readonly write: (text: string) => void;
  /** To standard error. */
  readonly writeError: (text: string) => void;
  /** Whether standard error is a terminal, so that progress may be shown. */
  readonly isTerminal: boolean;
}

/** A line longer than this is cut: a name may have a million characters. */
const MAX_LINE = 4_000;
/** Names longer than this do not widen the column they stand in. */
const MAX_COLUMN = 64;
/** Control characters of both sets, other line ends, and those that turn the direction of writing. */
const control = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;
/** Those of them that JSON leaves as they are. */
const controlInJson = /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** `text` as one line that cannot steer a terminal: names and messages come from tool servers. */
export function plain(text: string): string {
  const line = text.slice(0, MAX_LINE).replaceAll(control, " ");
  return text.length > MAX_LINE ? `${line}…` : line;
}

/** Prints each text as one line. */
export function printLines(output: Output, lines: readonly string[]): void {
  output.write(lines.map((line) => `${plain(line)}\n`).join(""));
}

/** How wide a column of `names` is. */
export function columnWidth(names: readonly string[]): number {
  return names.reduce((width, name) => Math.max(width, Math.min(name.length, MAX_COLUMN)), 0);
}

/** Prints one JSON document. */
export function printJson(output: Output, document: unknown): void {
  const text = JSON.stringify(document, null, 2).replaceAll(
    controlInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  output.write(`${text}\n`);
}
