/** The numbers of a model: float32 to train, float64 to compare with the numbers of others. */
export type Reals = Float32Array | Float64Array;

/** Makes such numbers. */
export type RealsConstructor = Float32ArrayConstructor | Float64ArrayConstructor;

/** C (+)= A·B for A of `rows` × `inner` and B of `inner` × `columns`, row by row. Four rows of B at a time keep C in the cache. */
export function multiply(a: Reals, b: Reals, c: Reals, rows: number, inner: number, columns: number): void {
  for (let row = 0; row < rows; row += 1) {
    const [from, to] = [row * inner, row * columns];
    let k = 0;
    for (; k + 3 < inner; k += 4) {
      const [f0, f1, f2, f3] = [a[from + k]!, a[from + k + 1]!, a[from + k + 2]!, a[from + k + 3]!];
      const at = k * columns;
      for (let column = 0; column < columns; column += 1) {
        c[to + column]! +=
          f0 * b[at + column]! +
          f1 * b[at + columns + column]! +
          f2 * b[at + 2 * columns + column]! +
          f3 * b[at + 3 * columns + column]!;
      }
    }
    for (; k < inner; k += 1) {
      const factor = a[from + k]!;
      const at = k * columns;
      for (let column = 0; column < columns; column += 1) c[to + column]! += factor * b[at + column]!;
    }
  }
}

/** C += Aᵀ·B for A of `inner` × `rows` and B of `inner` × `columns`. */
export function multiplyTransposed(a: Reals, b: Reals, c: Reals, rows: number, inner: number, columns: number): void {
  let k = 0;
  for (; k + 3 < inner; k += 4) {
    const at = k * columns;
    for (let row = 0; row < rows; row += 1) {
      const f0 = a[k * rows + row]!;
      const f1 = a[(k + 1) * rows + row]!;
      const f2 = a[(k + 2) * rows + row]!;
      const f3 = a[(k + 3) * rows + row]!;
      const to = row * columns;
      for (let column = 0; column < columns; column += 1) {
        c[to + column]! +=
          f0 * b[at + column]! +
          f1 * b[at + columns + column]! +
          f2 * b[at + 2 * columns + column]! +
          f3 * b[at + 3 * columns + column]!;
      }
    }
  }
  for (; k < inner; k += 1) {
    for (let row = 0; row < rows; row += 1) {
      const factor = a[k * rows + row]!;
      for (let column = 0; column < columns; column += 1)
        c[row * columns + column]! += factor * b[k * columns + column]!;
    }
  }
}

/** C = A·Bᵀ for A of `rows` × `inner` and B of `columns` × `inner`. */
export function multiplyByTranspose(a: Reals, b: Reals, c: Reals, rows: number, inner: number, columns: number): void {
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      c[row * columns + column] = dot(a, row * inner, b, column * inner, inner);
    }
  }
}

/** The inner product of two rows, in four sums. */
export function dot(a: Reals, from: number, b: Reals, at: number, length: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < length; i += 4) {
    s0 += a[from + i]! * b[at + i]!;
    s1 += a[from + i + 1]! * b[at + i + 1]!;
    s2 += a[from + i + 2]! * b[at + i + 2]!;
    s3 += a[from + i + 3]! * b[at + i + 3]!;
  }
  for (; i < length; i += 1) s0 += a[from + i]! * b[at + i]!;
  return s0 + s1 + (s2 + s3);
}

/** Makes every row of length 1; a row of zeros stays. */
export function normaliseRows(rows: Reals, dimensions: number): void {
  for (let start = 0; start < rows.length; start += dimensions) {
    const length = Math.sqrt(dot(rows, start, rows, start, dimensions));
    if (length > 0) for (let i = start; i < start + dimensions; i += 1) rows[i]! /= length;
  }
}

/** Makes square matrices the mean of themselves and their transposes. */
export function symmetrise(matrices: Reals, dimensions: number): void {
  for (let start = 0; start < matrices.length; start += dimensions * dimensions) {
    for (let row = 0; row < dimensions; row += 1) {
      for (let column = 0; column < row; column += 1) {
        const [one, other] = [start + row * dimensions + column, start + column * dimensions + row];
        const mean = (matrices[one]! + matrices[other]!) * 0.5;
        matrices[one] = mean;
        matrices[other] = mean;
      }
    }
  }
}
