/** Some rows of a matrix and a number for each. */
export interface WeighedRows {
  /** Row by row. */
  readonly rows: Float32Array;
  /** Where the first row begins. */
  readonly start: number;
  readonly width: number;
  /** The numbers stand one behind the other from `first` on, one a row. */
  readonly factors: Float32Array;
  readonly first: number;
  readonly count: number;
}

/**
 * Σ_i factor_i · row_i, in float64: a row times a matrix. Four rows at a time, so that sums are read and written a quarter as often; the order is always
 * the same, and so are the numbers.
 */
export function weighRows({ rows, start, width, factors, first, count }: WeighedRows): Float64Array {
  const sums = new Float64Array(width);
  let i = 0;
  for (; i + 3 < count; i += 4) {
    const [a, b, c, d] = [
      factors[first + i]!,
      factors[first + i + 1]!,
      factors[first + i + 2]!,
      factors[first + i + 3]!,
    ];
    const from = start + i * width;
    for (let j = 0; j < width; j++) {
      const at = from + j;
      sums[j]! += a * rows[at]! + b * rows[at + width]! + c * rows[at + 2 * width]! + d * rows[at + 3 * width]!;
    }
  }
  for (; i < count; i++) {
    const [factor, from] = [factors[first + i]!, start + i * width];
    for (let j = 0; j < width; j++) sums[j]! += factor * rows[from + j]!;
  }
  return sums;
}
