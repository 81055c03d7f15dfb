/** More rows change nothing in the third digit. */
const mostRows = 15_000;
const mostSweeps = 15;
/** Rows count as orthogonal below this cosine. */
const orthogonal = 1e-8;

export interface PrincipalAxes {
  readonly mean: Float64Array;
  /** Unit vectors, the one along which rows differ most first. */
  readonly axes: readonly Float64Array[];
  /** Share of the variance that the axes keep. */
  readonly kept: number;
}

/** The `count` directions in which the rows (rows × dimensions, of which evenly spaced ones are looked at) differ most. */
export function principalAxes(rows: Float32Array, dimensions: number, count: number): PrincipalAxes {
  const step = Math.max(1, Math.floor(rows.length / dimensions / mostRows)) * dimensions;
  const mean = new Float64Array(dimensions);
  let seen = 0;
  for (let at = 0; at < rows.length; at += step, seen++)
    for (let index = 0; index < dimensions; index++) mean[index]! += rows[at + index]!;
  for (let index = 0; index < dimensions; index++) mean[index]! /= seen;
  const covariance = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  const centred = new Float64Array(dimensions);
  for (let at = 0; at < rows.length; at += step) {
    for (let index = 0; index < dimensions; index++) centred[index] = rows[at + index]! - mean[index]!;
    for (const [index, row] of covariance.entries())
      for (let other = 0; other < dimensions; other++) row[other]! += (centred[index]! * centred[other]!) / seen;
  }
  orthogonalise(covariance);
  const variances = covariance.map((row) => Math.hypot(...row));
  const order = [...variances.keys()].sort((left, right) => (variances[right] ?? 0) - (variances[left] ?? 0));
  const axes = order.slice(0, count).map((axis) => covariance[axis]!.map((value) => value / (variances[axis]! || 1)));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { mean, axes, kept: sum(order.slice(0, count).map((axis) => variances[axis]!)) / (sum(variances) || 1) };
}

/**
 * Rotates rows pairwise until all are orthogonal (one-sided Jacobi, Hestenes 1958): the rows of a symmetric matrix
 * without negative eigenvalues become its eigenvectors, each as long as its eigenvalue.
 */
function orthogonalise(rows: readonly Float64Array[]): void {
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    let worst = 0;
    for (const [place, first] of rows.entries())
      for (let other = place + 1; other < rows.length; other++) worst = Math.max(worst, rotate(first, rows[other]!));
    if (worst < orthogonal) return;
  }
}

/** Makes two rows orthogonal; gives the cosine that they had. */
function rotate(first: Float64Array, second: Float64Array): number {
  let [a, b, both] = [0, 0, 0];
  for (let index = 0; index < first.length; index++) {
    a += first[index]! * first[index]!;
    b += second[index]! * second[index]!;
    both += first[index]! * second[index]!;
  }
  const cosine = Math.abs(both) / (Math.sqrt(a * b) || 1);
  if (cosine < orthogonal / 100) return cosine;
  const half = (b - a) / (2 * both);
  const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1));
  const c = 1 / Math.sqrt(tangent * tangent + 1);
  const s = c * tangent;
  for (let index = 0; index < first.length; index++) {
    const x = first[index]!;
    const y = second[index]!;
    first[index] = c * x - s * y;
    second[index] = s * x + c * y;
  }
  return cosine;
}

/** Rows along the axes: rows × axes. `from` is taken off first. */
export function alongAxes(rows: Float32Array, from: Float64Array, axes: readonly Float64Array[]): Float32Array {
  const dimensions = from.length;
  const count = rows.length / dimensions;
  const projected = new Float32Array(count * axes.length);
  const centred = new Float64Array(dimensions);
  for (let row = 0; row < count; row++) {
    for (let index = 0; index < dimensions; index++) centred[index] = rows[row * dimensions + index]! - from[index]!;
    for (const [place, axis] of axes.entries()) {
      let sum = 0;
      for (let index = 0; index < dimensions; index++) sum += centred[index]! * axis[index]!;
      projected[row * axes.length + place] = sum;
    }
  }
  return projected;
}
