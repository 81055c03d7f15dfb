/** Positions of the pool by descending value, equal values by position. */
export function byValue(pool: Uint32Array, values: Float64Array): number[] {
  return Array.from(pool.keys()).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
}
