import { SetwiseError } from "@setwise/core";

/** How long one server or address may take where the caller says nothing. */
export const DEFAULT_TIMEOUT_MS: number = 15_000;
/** Timers count in 31 bits and fire at once beyond. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * How long one server or address may take, in milliseconds.
 *
 * @throws SetwiseError `invalid-argument`.
 */
export function timeoutOf(options: { readonly timeoutMs?: number }): number {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  throw new SetwiseError(
    "invalid-argument",
    `The timeout must be a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, but it is ${String(timeoutMs)}.`,
  );
}
