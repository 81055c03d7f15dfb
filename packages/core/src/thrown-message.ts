/** What something thrown says, whatever it is, or `otherwise` where it cannot be made a text; never throws. */
export function thrownMessage(
  cause: unknown,
  otherwise: string = "what was thrown is no error and has no text",
): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return otherwise;
  }
}
