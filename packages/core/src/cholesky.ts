/*
 * Equations of a positive definite matrix by Cholesky's factors (Golub and Van Loan, Matrix Computations, 4.2).
 */

/** L of the matrix L Lᵀ, in place of its lower triangle; the rest is not looked at. */
export function factorise(matrix: Float64Array, width: number): void {
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * width + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * width + k]! * matrix[j * width + k]!;
      matrix[i * width + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * width + j]!;
    }
  }
}

/** The X of L Lᵀ X = B, in place of B: forward, then backward, all columns at once. */
export function solve(lower: Float64Array, right: Float64Array, width: number, columns: number): void {
  const factors = new Float64Array(width);
  const rowOf = (i: number): Float64Array => right.subarray(i * columns, (i + 1) * columns);
  for (let i = 0; i < width; i++) {
    for (let k = 0; k < i; k++) factors[k] = -lower[i * width + k]!;
    addRows(rowOf(i), factors.subarray(0, i), right, columns);
    divide(rowOf(i), lower[i * width + i]!);
  }
  for (let i = width - 1; i >= 0; i--) {
    for (let k = i + 1; k < width; k++) factors[k] = -lower[k * width + i]!;
    addRows(rowOf(i), factors.subarray(i + 1), right.subarray((i + 1) * columns), columns);
    divide(rowOf(i), lower[i * width + i]!);
  }
}

function divide(row: Float64Array, divisor: number): void {
  for (let j = 0; j < row.length; j++) row[j]! /= divisor;
}

/** target += Σ_i factor_i · row_i of the rows' first numbers, four rows at a time, so that the target is read and written a quarter as often. */
export function addRows(target: Float64Array, factors: Float64Array, rows: Float64Array, width: number): void {
  const columns = target.length;
  let i = 0;
  for (; i + 3 < factors.length; i += 4) {
    const [a, b, c, d] = [factors[i]!, factors[i + 1]!, factors[i + 2]!, factors[i + 3]!];
    for (let j = 0; j < columns; j++) {
      const at = i * width + j;
      target[j]! += a * rows[at]! + b * rows[at + width]! + c * rows[at + 2 * width]! + d * rows[at + 3 * width]!;
    }
  }
  for (; i < factors.length; i++) {
    for (let j = 0; j < columns; j++) target[j]! += factors[i]! * rows[i * width + j]!;
  }
}
