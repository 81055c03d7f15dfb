/**
 * The inner product that defines every score of the vector kernels.
 *
 * Four float64 sums: sum j takes the products at positions j, j + 4, j + 8, … in ascending order; the answer is
 * (sum 0 + sum 1) + (sum 2 + sum 3). A product of two float32 is exact in float64 (24 + 24 ≤ 53 bits), so this order is all
 * that implementations have to agree on. Rows are padded with zeros to whole groups of four, which changes nothing.
 */

/** Rows are padded to a multiple of this. */
export const groupSize = 4;

/** The inner product of the `length` numbers at `leftStart` of one matrix and at `rightStart` of another. */
export function exactDot(
  left: Float32Array,
  leftStart: number,
  right: Float32Array,
  rightStart: number,
  length: number,
): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let i = 0; i < length; i += 4) {
    sum0 += left[leftStart + i]! * right[rightStart + i]!;
    sum1 += left[leftStart + i + 1]! * right[rightStart + i + 1]!;
    sum2 += left[leftStart + i + 2]! * right[rightStart + i + 2]!;
    sum3 += left[leftStart + i + 3]! * right[rightStart + i + 3]!;
  }
  return sum0 + sum1 + (sum2 + sum3);
}

/**
 * Writes into `products[i]` the inner product of `query` and row `ordinals[i]` (row i where there are no ordinals), rounded
 * to float32. Three rows at a time share each number of the query: more sums than that no longer fit the registers.
 */
export function dotRows(
  matrix: Float32Array,
  stride: number,
  ordinals: Uint32Array | undefined,
  query: Float64Array,
  products: Float32Array,
  count: number,
): void {
  let i = 0;
  for (; i + 3 <= count; i += 3) {
    let a = (ordinals === undefined ? i : ordinals[i]!) * stride;
    let b = (ordinals === undefined ? i + 1 : ordinals[i + 1]!) * stride;
    let c = (ordinals === undefined ? i + 2 : ordinals[i + 2]!) * stride;
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let b0 = 0;
    let b1 = 0;
    let b2 = 0;
    let b3 = 0;
    let c0 = 0;
    let c1 = 0;
    let c2 = 0;
    let c3 = 0;
    for (let j = 0; j < stride; j += 4, a += 4, b += 4, c += 4) {
      const q0 = query[j]!;
      const q1 = query[j + 1]!;
      const q2 = query[j + 2]!;
      const q3 = query[j + 3]!;
      a0 += matrix[a]! * q0;
      a1 += matrix[a + 1]! * q1;
      a2 += matrix[a + 2]! * q2;
      a3 += matrix[a + 3]! * q3;
      b0 += matrix[b]! * q0;
      b1 += matrix[b + 1]! * q1;
      b2 += matrix[b + 2]! * q2;
      b3 += matrix[b + 3]! * q3;
      c0 += matrix[c]! * q0;
      c1 += matrix[c + 1]! * q1;
      c2 += matrix[c + 2]! * q2;
      c3 += matrix[c + 3]! * q3;
    }
    products[i] = a0 + a1 + (a2 + a3);
    products[i + 1] = b0 + b1 + (b2 + b3);
    products[i + 2] = c0 + c1 + (c2 + c3);
  }
  for (; i < count; i += 1) {
    let a = (ordinals === undefined ? i : ordinals[i]!) * stride;
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    for (let j = 0; j < stride; j += 4, a += 4) {
      a0 += matrix[a]! * query[j]!;
      a1 += matrix[a + 1]! * query[j + 1]!;
      a2 += matrix[a + 2]! * query[j + 2]!;
      a3 += matrix[a + 3]! * query[j + 3]!;
    }
    products[i] = a0 + a1 + (a2 + a3);
  }
}
