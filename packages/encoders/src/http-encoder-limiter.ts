/** Runs at most `limit` tasks at a time, the others in the order they came; a waiting task whose signal fires leaves the queue. */
export type Limiter = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export function createLimiter(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];

  function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < limit) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal.reason as Error);
      };
      waiting.push(start);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  return async (task, signal) => {
    await enter(signal);
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that nobody who comes now slips in before.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
