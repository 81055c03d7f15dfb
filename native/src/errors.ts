/**
 * What can go wrong here. The codes are Setwise's, so that its packages need not translate them: `invalid-argument` (an
 * argument has the wrong type, length or range), `too-large` (no memory for that many numbers), `missing-dependency` (the
 * addon was demanded and cannot be loaded), `unreadable-source` and `unwritable-target` (a file cannot be read or written),
 * `corrupt-file` (it is cut short, damaged or of another kind), `unsupported-version` (a later version wrote it), `internal`
 * (our mistake).
 */
export type KernelErrorCode =
  | "invalid-argument"
  | "too-large"
  | "missing-dependency"
  | "unreadable-source"
  | "unwritable-target"
  | "corrupt-file"
  | "unsupported-version"
  | "internal";

/** Shared by every error class of Setwise, also across copies of a package. */
const marker: symbol = Symbol.for("setwise.error");

/** The error that this package throws. Recognise it with {@link KernelError.isInstance}: two copies may be installed. */
export class KernelError extends Error {
  override readonly name = "KernelError";
  readonly code: KernelErrorCode;

  /**
   * @param code One of {@link KernelErrorCode}.
   * @param message What was expected, what came, and what to do.
   */
  constructor(code: KernelErrorCode, message: string, details: { readonly cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Whether `value` is an error of any copy of this package, or of another package of Setwise. */
  static isInstance(value: unknown): value is KernelError {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}
