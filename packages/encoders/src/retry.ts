import { SetwiseError } from "@setwise/core";

/** One attempt either has a value, or failed in a way that another attempt may mend. An attempt that throws is final. */
export type Attempt<T> =
  | { readonly value: T }
  | { readonly error: SetwiseError; readonly retryAfterMs?: number | undefined };

export interface RetryPolicy {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** The wait before the first retry, in milliseconds; it doubles from one retry to the next. */
  readonly retryDelayMs: number;
  /** No wait is longer, whatever the server asks for. */
  readonly maxRetryDelayMs: number;
  /** How many milliseconds are left for further attempts and the waits before them. */
  readonly remainingMs: () => number;
  /** Resolves after so many milliseconds; rejects when the caller gives up. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** The share of a wait that is left to chance, so that many callers who failed together do not come back together. */
const BACKOFF_JITTER = 0.5;
/** A server's own wait is never made shorter, and only a little longer. */
const RETRY_AFTER_JITTER = 0.1;

/** A server that was silent for the time of an attempt rarely answers the next one, and each costs that time. */
const MAX_RETRIES_AFTER_TIMEOUT = 1;

/** Runs `attempt` until it has a value, or the retries or the time are used up; then the last error is thrown. */
export async function withRetries<T>(attempt: () => Promise<Attempt<T>>, policy: RetryPolicy): Promise<T> {
  let timeouts = 0;
  for (let retry = 0; ; retry++) {
    const outcome = await attempt();
    if ("value" in outcome) return outcome.value;
    if (outcome.error.code === "timeout") timeouts += 1;
    if (retry >= policy.maxRetries || timeouts > MAX_RETRIES_AFTER_TIMEOUT) throw outcome.error;
    const wait = waitBefore(retry, outcome.retryAfterMs, policy);
    const remaining = policy.remainingMs();
    if (wait >= remaining) throw remaining > 0 ? outOfTime(outcome.error, wait) : outcome.error;
    await policy.sleep(wait);
  }
}

function outOfTime(error: SetwiseError, waitMs: number): SetwiseError {
  const reason = `It was not asked again, since the time for all attempts would be over after the wait of ${Math.ceil(waitMs)} ms`;
  const message = `${error.message} ${reason}: raise it (\`maxRequestMs\`, or --timeout on the command line).`;
  return new SetwiseError(error.code, message, {
    ...(error.source === undefined ? {} : { source: error.source }),
    cause: error.cause,
  });
}

/** How long to wait before retry number `retry` (from 0), in milliseconds. */
function waitBefore(retry: number, retryAfterMs: number | undefined, policy: RetryPolicy): number {
  const wait =
    retryAfterMs === undefined
      ? policy.retryDelayMs * 2 ** retry * (1 - BACKOFF_JITTER * policy.random())
      : retryAfterMs * (1 + RETRY_AFTER_JITTER * policy.random());
  return Math.min(wait, policy.maxRetryDelayMs);
}

/**
 * What a `Retry-After` header asks for, in milliseconds; `undefined` where it says nothing usable. A date counts from the
 * answer's own `Date`, so that a wrong clock on either side does no harm.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const milliseconds = headers.get("retry-after-ms");
  if (milliseconds !== null && /^\d{1,12}$/.test(milliseconds)) return Number(milliseconds);
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
