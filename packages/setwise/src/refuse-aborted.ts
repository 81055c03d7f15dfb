import { SetwiseError } from "@setwise/core";

/** Fails with `aborted` where the signal has fired already, so that no work is begun. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new SetwiseError("aborted", "It was stopped by the caller's signal.", { cause: signal.reason });
}
