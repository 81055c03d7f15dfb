import type { Belief } from "./query-result.ts";

/*
 * Expected calibration error (Naeini, Cooper and Hauskrecht 2015): probabilities are sorted into B bins of equal width,
 *   ECE = Σ_b (n_b / n) · |mean probability of b − share of b that came true|.
 * Tools hardly believed in are left out, because a catalog has hundreds of them and they would hide all else.
 */
const BINS = 10;
export const LEAST_PROBABILITY: number = 0.05;

/** One bar of a reliability diagram. */
export interface ReliabilityBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** Mean probability of the bin. */
  readonly probability: number;
  /** Share that came true. */
  readonly share: number;
}

export interface Calibration {
  /** Expected calibration error, in 0..1; NaN without any probability above the least. */
  readonly ece: number;
  /** Mean of (probability − outcome)², in 0..1 (Brier 1950). */
  readonly brier: number;
  /** How many probabilities there were above `leastProbability`. */
  readonly count: number;
  readonly leastProbability: number;
  /** Bins without a probability are left out. */
  readonly bins: readonly ReliabilityBin[];
}

export interface CalibrationOptions {
  /** Bins of equal width over 0..1; 10 by default. */
  readonly bins?: number;
  /** Probabilities up to this are left out; 0.05 by default. */
  readonly leastProbability?: number;
}

/** How far probabilities can be trusted: the ECE, the Brier score, and the bars of a reliability diagram. */
export function calibrationOf(beliefs: Iterable<Belief>, options: CalibrationOptions = {}): Calibration {
  const { bins = BINS, leastProbability = LEAST_PROBABILITY } = options;
  const sums = Array.from({ length: bins }, () => ({ count: 0, probability: 0, holds: 0 }));
  let squares = 0;
  let count = 0;
  for (const { probability, holds } of beliefs) {
    if (probability <= leastProbability) continue;
    // A probability of 1 belongs to the last bin.
    const bin = sums[Math.min(bins - 1, Math.floor(probability * bins))];
    if (bin === undefined) continue;
    bin.count += 1;
    bin.probability += probability;
    bin.holds += Number(holds);
    squares += (probability - Number(holds)) ** 2;
    count += 1;
  }
  const error = sums.reduce((sum, bin) => sum + Math.abs(bin.probability - bin.holds), 0);
  return {
    ece: error / count,
    brier: squares / count,
    count,
    leastProbability,
    bins: sums
      .map((bin, index) => ({
        low: index / bins,
        high: (index + 1) / bins,
        count: bin.count,
        probability: bin.probability / bin.count,
        share: bin.holds / bin.count,
      }))
      .filter((bin) => bin.count > 0),
  };
}
