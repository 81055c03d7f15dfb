/** Where a command writes. */
export interface Output {
  /** To standard output. */
  readonly write: (text: string) => void;
  /** To standard error. */
  readonly writeError: (text: string) => void;
  /** Whether standard error is a terminal, so that progress may be shown. */
  readonly isTerminal: boolean;
}

/** Prints one JSON document. */
export function printJson(output: Output, document: unknown): void {
  output.write(`${JSON.stringify(document, null, 2)}\n`);
}
