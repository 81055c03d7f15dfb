import { type Interleaved, interleave } from "./interleave.ts";

/** One side of a comparison: a kernel at one level, or what it is compared with. */
export interface Side {
  readonly name: string;
  readonly run: () => void;
}

/** What several sides took for the same work, run in turn. */
export interface Measurement {
  /** What was measured, and at which sizes. */
  readonly kernel: string;
  readonly at: string;
  /** Rounds that the medians are of. */
  readonly rounds: number;
  /** Median microseconds a call, best kernel first. */
  readonly sides: readonly { readonly name: string; readonly microseconds: number }[];
}

export interface MeasureOptions {
  readonly rounds: number;
  /** The fewest calls of a side in a round. Default: 1. */
  readonly calls?: number;
  /** How many queries a call answers; times are given for one. Default: 1. */
  readonly queries?: number;
}

/** Runs all sides in turn and gives the medians. */
export function measure(
  kernel: string,
  at: string,
  sides: readonly Side[],
  { rounds, calls = 1, queries = 1 }: MeasureOptions,
): Measurement {
  const callsOf = sides.map(({ run }) => Math.max(calls, Math.ceil(roundMs / warm(run))));
  const repeated = sides.map(({ run }, side) => () => {
    for (let call = 0; call < callsOf[side]!; call += 1) run();
  });
  const { medians }: Interleaved = interleave(repeated, rounds);
  const microseconds = medians.map((milliseconds, side) => (milliseconds / callsOf[side]! / queries) * 1000);
  return { kernel, at, rounds, sides: sides.map(({ name }, i) => ({ name, microseconds: microseconds[i] ?? 0 })) };
}

/** Milliseconds after which the engine has compiled what it will, and a processor runs at its speed. */
const warmMs = 50;

/** Milliseconds that a round of a side takes at least, so that what it says is not how a side starts after another. */
const roundMs = 5;

/** Runs until it is warm, and gives the milliseconds of the shortest call. */
function warm(run: () => void): number {
  let shortest = warmMs;
  const end = performance.now() + warmMs;
  for (let start = performance.now(); start < end;) {
    run();
    const now = performance.now();
    shortest = Math.min(shortest, now - start);
    start = now;
  }
  return shortest;
}

/** A measurement in lines: each side's time, and how many times as long it takes as the first. */
export function describe({ kernel, at, rounds, sides }: Measurement): readonly string[] {
  const fastest = sides[0]?.microseconds ?? 0;
  const width = Math.max(...sides.map(({ name }) => name.length));
  return [
    `${kernel}, ${at} (median of ${rounds} rounds)`,
    ...sides.map(({ name, microseconds }) => {
      const ratio = (microseconds / fastest).toFixed(microseconds / fastest < 10 ? 2 : 0);
      return `  ${name.padEnd(width)} ${inUnits(microseconds).padStart(10)} ${ratio.padStart(8)} ×`;
    }),
  ];
}

function inUnits(microseconds: number): string {
  return microseconds < 1000 ? `${microseconds.toFixed(2)} µs` : `${(microseconds / 1000).toFixed(3)} ms`;
}
