import { refuseAborted } from "@setwise/core";

/** Lets others have their turn; then looks at the signal. */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  refuseAborted(signal);
}
