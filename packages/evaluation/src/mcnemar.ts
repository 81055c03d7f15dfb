/*
 * McNemar's test (1947) of two pipelines that are each right or wrong on the same queries. Only the queries on which they differ
 * count: b that the first alone has right, c that the second alone has. With no difference b follows a binomial of b + c and ½:
 *   p = min(1, 2 · Σ_{i ≤ min(b, c)} C(b + c, i) / 2^(b + c))           exact, for few of them
 *   z = (|b − c| − 1) / √(b + c), p = erfc(z / √2)                       normal with continuity correction (Edwards 1948), for many
 */
const MOST_EXACT = 1000;

export interface McNemar {
  /** Queries that only the first has right. */
  readonly onlyFirst: number;
  /** Queries that only the second has right. */
  readonly onlySecond: number;
  /** Two-sided p-value of "neither is better". */
  readonly p: number;
}

/** McNemar's test from the two counts of queries on which the pipelines differ. */
export function mcnemar(onlyFirst: number, onlySecond: number): McNemar {
  const count = onlyFirst + onlySecond;
  const p =
    count === 0 ? 1 : count <= MOST_EXACT ? exact(Math.min(onlyFirst, onlySecond), count) : normal(onlyFirst, count);
  return { onlyFirst, onlySecond, p };
}

/** In logarithms, since 2^1000 is near the end of the numbers. */
function exact(least: number, count: number): number {
  let logTerm = -count * Math.LN2;
  let sum = Math.exp(logTerm);
  for (let i = 1; i <= least; i++) {
    logTerm += Math.log(count - i + 1) - Math.log(i);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, 2 * sum);
}

function normal(onlyFirst: number, count: number): number {
  const difference = Math.abs(2 * onlyFirst - count);
  return complementaryError(Math.max(0, difference - 1) / Math.sqrt(2 * count));
}

/** erfc(x) for x ≥ 0, to 1.2e-7 of its value (Press et al., Numerical Recipes in C, 1992, section 6.2: a Chebyshev fit). */
function complementaryError(x: number): number {
  const t = 1 / (1 + x / 2);
  const coefficients = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const polynomial = coefficients.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  return t * Math.exp(-x * x + polynomial);
}
