/** 1-based i of the largest values_i − values_{i+1}, the first on ties. */
export function largestDrop(values: Float32Array): number {
  let best = 1;
  let drop = -Infinity;
  for (let i = 1; i < values.length; i++) {
    const difference = (values[i - 1] ?? 0) - (values[i] ?? 0);
    if (difference > drop) {
      drop = difference;
      best = i;
    }
  }
  return best;
}
