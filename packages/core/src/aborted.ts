import { SetwiseError } from "./errors.ts";

/** What work fails with that a signal has stopped. */
export function abortedBy(signal: AbortSignal): SetwiseError {
  return new SetwiseError("aborted", "It was stopped by the caller's signal.", { cause: signal.reason });
}

/** Fails with `aborted` where the signal has fired already, so that no work is begun. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedBy(signal);
}
