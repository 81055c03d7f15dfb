import { seededRandom } from "@setwise/core";

/** Enough that the ends of the interval and small p-values move in the third digit only (Efron and Tibshirani 1993 ask for 1,000 at least). */
export const RESAMPLES = 10_000;
export const SEED = 7;
const CONFIDENCE = 0.95;

/** A difference with the interval that holds 95 % of its resamples. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /**
   * Two-sided p-value of "there is no difference": twice the smaller share of resamples on one side of 0, resamples at 0 counting for
   * both sides, with one more resample on each; at most 1.
   */
  readonly p: number;
}

export interface BootstrapOptions {
  /** 10,000 by default. */
  readonly resamples?: number;
  /** 7 by default; the same seed gives the same interval. */
  readonly seed?: number;
}

/**
 * The mean over groups of the mean difference of paired values, with its 95 % interval by the paired bootstrap: queries are drawn
 * with replacement within each group (Efron and Tibshirani 1993, percentile interval). All numbers are NaN without any pair.
 *
 * @param groups For each group the differences of its pairs; an empty group does not count.
 */
export function pairedBootstrap(groups: readonly (readonly number[])[], options: BootstrapOptions = {}): Difference {
  const { resamples = RESAMPLES, seed = SEED } = options;
  const filled = groups.filter((group) => group.length > 0).map((group) => Float64Array.from(group));
  if (filled.length === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN, p: Number.NaN };
  // Pipelines that hand over the same number of tools do not differ in it by any draw: nothing to resample.
  const [first] = filled[0] ?? [];
  if (first !== undefined && filled.every((group) => group.every((value) => value === first)))
    return { mean: first, low: first, high: first, p: first === 0 ? 1 : leastP(resamples) };
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let at = 0; at < resamples; at++) {
    let sum = 0;
    for (const group of filled) sum += resampledMean(group, random);
    means[at] = sum / filled.length;
  }
  means.sort();
  const tail = (1 - CONFIDENCE) / 2;
  return {
    mean: filled.reduce((sum, group) => sum + meanOf(group), 0) / filled.length,
    low: means[Math.floor(tail * resamples)] ?? Number.NaN,
    high: means[Math.ceil((1 - tail) * resamples) - 1] ?? Number.NaN,
    p: twoSided(means),
  };
}

function resampledMean(group: Float64Array, random: () => number): number {
  let sum = 0;
  for (let i = 0; i < group.length; i++) sum += group[Math.floor(random() * group.length)] ?? 0;
  return sum / group.length;
}

function meanOf(group: Float64Array): number {
  return group.reduce((sum, value) => sum + value, 0) / group.length;
}

/** What so many resamples can tell at most. */
function leastP(resamples: number): number {
  return Math.min(1, 2 / (1 + resamples));
}

function twoSided(means: Float64Array): number {
  let below = 0;
  let above = 0;
  for (const mean of means) {
    if (mean <= 0) below += 1;
    if (mean >= 0) above += 1;
  }
  return Math.min(1, (2 * (1 + Math.min(below, above))) / (1 + means.length));
}
