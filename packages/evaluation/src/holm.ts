/**
 * p-values adjusted for having looked at several, after Holm (1979): in ascending order the i-th of n is multiplied by n − i + 1,
 * none comes out smaller than one before it, and none beyond 1. NaN stays NaN and does not count.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = [...pValues.keys()]
    .filter((index) => !Number.isNaN(pValues[index]))
    .sort((a, b) => (pValues[a] ?? 0) - (pValues[b] ?? 0) || a - b);
  const adjusted = pValues.map(() => Number.NaN);
  let largest = 0;
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues[index] ?? 0) * (order.length - rank)));
    adjusted[index] = largest;
  }
  return adjusted;
}
