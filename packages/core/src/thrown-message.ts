/** What something thrown says, whatever it is; never throws. */
export function thrownMessage(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return "what was thrown is no error and has no text";
  }
}
