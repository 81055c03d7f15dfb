/**
 * Everything that can go wrong, in one list. `caller` codes are the caller's mistake (a command line exits with 1),
 * `internal` codes are ours or the machine's (it exits with 2).
 */
export const errorCodes = {
  /** An option or argument has the wrong type, range or combination. */
  "invalid-argument": "caller",
  /** The text is neither valid JSON nor valid YAML; `line` and `column` say where. */
  "invalid-syntax": "caller",
  /** The document was parsed but holds no list of tools in any known form. */
  "not-a-tool-list": "caller",
  /** One entry of a list is not a tool at all (a number, `null`, a string); `position` says which. */
  "not-a-tool": "caller",
  /** There is no tool to choose from. */
  "empty-catalog": "caller",
  /** An id names no tool of the catalog. */
  "unknown-tool": "caller",
  /** Two tools of one catalog have the same id. */
  "duplicate-tool": "caller",
  /** Input is larger or deeper than the bound that protects the process. */
  "too-large": "caller",
  /** A file or address cannot be read. */
  "unreadable-source": "caller",
  /** A file cannot be written; what was there before is untouched. */
  "unwritable-target": "caller",
  /** A saved file is cut short, damaged, or not one of ours. */
  "corrupt-file": "caller",
  /** A saved file was written by a version this one cannot read. */
  "unsupported-version": "caller",
  /** Constraints contradict each other (a tool both required and excluded, more required than allowed). */
  "impossible-constraints": "caller",
  /** A tool server could not be started; or a server, of tools or of embeddings, refused or broke the protocol. */
  "server-failed": "caller",
  /** A tool server or an address did not answer in time. */
  timeout: "caller",
  /** An optional package that the requested feature needs is not installed. */
  "missing-dependency": "caller",
  /** The caller's abort signal fired. */
  aborted: "caller",
  /** Something Setwise got wrong itself. */
  internal: "internal",
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Typed facts about an error; which ones are set depends on the code. */
export interface ErrorDetails {
  /** The file, address or server concerned. */
  readonly source?: string;
  /** 1-based line in `source`. */
  readonly line?: number;
  /** 1-based column in `source`. */
  readonly column?: number;
  /** 0-based position in a list. */
  readonly position?: number;
  /** The tool concerned. */
  readonly toolId?: string;
  /** The underlying error. */
  readonly cause?: unknown;
}

const marker = Symbol.for("setwise.error");

/** The one error class of Setwise. Recognise it with {@link SetwiseError.isInstance}: two copies of a package may be installed. */
export class SetwiseError extends Error {
  override readonly name = "SetwiseError";
  readonly code: ErrorCode;
  readonly source: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly position: number | undefined;
  readonly toolId: string | undefined;

  /**
   * @param code One of {@link errorCodes}.
   * @param message What was expected, what came, and what to do.
   */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.source = details.source;
    this.line = details.line;
    this.column = details.column;
    this.position = details.position;
    this.toolId = details.toolId;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Whether `value` is a SetwiseError of any copy of this package. */
  static isInstance(value: unknown): value is SetwiseError {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}
