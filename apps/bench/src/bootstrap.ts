import { sequence } from "./random.ts";

const RESAMPLES = 1000;
const SEED = 7;

/** A difference with the interval that holds 95 % of its resamples. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The mean over groups of the mean difference of paired values, with its 95 % interval by the paired bootstrap: queries are drawn
 * with replacement within each group (Efron and Tibshirani 1993, percentile interval).
 *
 * @param groups For each group the differences of its pairs.
 */
export function pairedBootstrap(groups: readonly (readonly number[])[]): Difference {
  const random = sequence(SEED);
  const meanOf = (pick: (group: readonly number[]) => number): number =>
    groups.reduce((sum, group) => sum + pick(group), 0) / groups.length;
  const resampled = Array.from({ length: RESAMPLES }, () =>
    meanOf((group) => {
      let sum = 0;
      for (let i = 0; i < group.length; i++) sum += group[Math.floor(random() * group.length)] ?? 0;
      return sum / group.length;
    }),
  ).sort((a, b) => a - b);
  return {
    mean: meanOf((group) => group.reduce((sum, value) => sum + value, 0) / group.length),
    low: resampled[Math.floor(0.025 * RESAMPLES)] ?? 0,
    high: resampled[Math.ceil(0.975 * RESAMPLES) - 1] ?? 0,
  };
}
