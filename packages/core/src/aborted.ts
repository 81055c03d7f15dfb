import { SetwiseError } from "./errors.ts";

/** What work fails with that a signal has stopped. */
export function abortedBy(signal: AbortSignal): SetwiseError {
  return new SetwiseError("aborted", "It was stopped by the caller's signal.", { cause: signal.reason });
}

/**
 * Lets no work begin that a signal has stopped already, or that none could stop.
 *
 * @throws SetwiseError `aborted`, and `invalid-argument` for what is no signal.
 */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (!isSignal(signal)) {
    throw new SetwiseError(
      "invalid-argument",
      "signal must be an AbortSignal, such as `new AbortController().signal`, or left out.",
    );
  }
  if (signal.aborted) throw abortedBy(signal);
}

/** Seen by what it can do, since one of another realm can as well. */
function isSignal(given: unknown): boolean {
  const { aborted, addEventListener, removeEventListener } = (given ?? {}) as Partial<AbortSignal>;
  return (
    [addEventListener, removeEventListener].every((listen) => typeof listen === "function") && aborted !== undefined
  );
}
