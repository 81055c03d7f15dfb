/** Median milliseconds of each side. */
export interface Interleaved {
  readonly medians: readonly number[];
  readonly rounds: number;
}

/** Runs the sides in turn, A B A B …, `rounds` times after one round that does not count, and gives each side's median. */
export function interleave(sides: readonly (() => void)[], rounds: number): Interleaved {
  const times = sides.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [side, run] of sides.entries()) {
      const start = performance.now();
      run();
      if (round >= 0) times[side]?.push(performance.now() - start);
    }
  }
  return { medians: times.map(median), rounds };
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
