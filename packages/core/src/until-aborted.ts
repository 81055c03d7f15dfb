import { abortedBy, refuseAborted } from "./aborted.ts";

/**
 * What `start` gives, or an error as soon as the signal fires, whether or not `start` listens to it; not begun where it has
 * fired already.
 *
 * @throws SetwiseError `aborted`, and what `start` throws.
 */
export async function untilAborted<T>(signal: AbortSignal | undefined, start: () => Promise<T>): Promise<T> {
  if (signal === undefined) return start();
  refuseAborted(signal);
  let stop: (() => void) | undefined;
  const fired = new Promise<never>((_, reject) => {
    stop = () => reject(abortedBy(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  // Where `start` throws at once nobody waits for the signal any more.
  fired.catch(() => undefined);
  try {
    return await Promise.race([start(), fired]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
