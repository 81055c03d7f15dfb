/*
 * A = (XᵀX + λ I)⁻¹ XᵀY by Cholesky's factors (Golub and Van Loan, Matrix Computations, 4.2).
 */

/** λ; with it tools that were held out were found best, better than with a regression of z itself, or with the text alone. */
const RIDGE = 1;

/**
 * The A, d × k, with which X A is nearest to Y: X holds `rows` of `from`, Y the same rows of `to`.
 *
 * @param from n × d.
 * @param to n × k.
 */
export function ridgeRegression(
  from: Float32Array,
  to: Float32Array,
  { rows, width, targetWidth }: { readonly rows: Uint32Array; readonly width: number; readonly targetWidth: number },
): Float32Array {
  const square = new Float64Array(width * width);
  const right = new Float64Array(width * targetWidth);
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const value = from[row * width + i]!;
      if (value === 0) continue;
      for (let j = 0; j <= i; j++) square[i * width + j]! += value * from[row * width + j]!;
      for (let j = 0; j < targetWidth; j++) right[i * targetWidth + j]! += value * to[row * targetWidth + j]!;
    }
  }
  for (let i = 0; i < width; i++) square[i * width + i]! += RIDGE;
  factorise(square, width);
  solve(square, right, width, targetWidth);
  return Float32Array.from(right);
}

/** L of L Lᵀ in the lower triangle. */
function factorise(matrix: Float64Array, width: number): void {
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * width + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * width + k]! * matrix[j * width + k]!;
      matrix[i * width + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * width + j]!;
    }
  }
}

/** Forward, then backward, all columns at once. */
function solve(lower: Float64Array, right: Float64Array, width: number, columns: number): void {
  for (let i = 0; i < width; i++) {
    for (let k = 0; k < i; k++) subtract(right, i, k, lower[i * width + k]!, columns);
    divide(right, i, lower[i * width + i]!, columns);
  }
  for (let i = width - 1; i >= 0; i--) {
    for (let k = i + 1; k < width; k++) subtract(right, i, k, lower[k * width + i]!, columns);
    divide(right, i, lower[i * width + i]!, columns);
  }
}

function subtract(rows: Float64Array, target: number, source: number, factor: number, columns: number): void {
  for (let j = 0; j < columns; j++) rows[target * columns + j]! -= factor * rows[source * columns + j]!;
}

function divide(rows: Float64Array, target: number, divisor: number, columns: number): void {
  for (let j = 0; j < columns; j++) rows[target * columns + j]! /= divisor;
}
