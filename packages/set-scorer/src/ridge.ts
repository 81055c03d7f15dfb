import { addRows, factorise, solve } from "@setwise/core";

/*
 * A = (XᵀX + λ I)⁻¹ XᵀY.
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
  const [sources, targets] = [gathered(from, rows, width), gathered(to, rows, targetWidth)];
  const column = new Float64Array(rows.length);
  for (let i = 0; i < width; i++) {
    for (let row = 0; row < rows.length; row++) column[row] = sources[row * width + i]!;
    addRows(square.subarray(i * width, i * width + i + 1), column, sources, width);
    addRows(right.subarray(i * targetWidth, (i + 1) * targetWidth), column, targets, targetWidth);
  }
  for (let i = 0; i < width; i++) square[i * width + i]! += RIDGE;
  factorise(square, width);
  solve(square, right, width, targetWidth);
  return Float32Array.from(right);
}

/** Some rows of a matrix, one behind the other. */
function gathered(matrix: Float32Array, rows: Uint32Array, width: number): Float64Array {
  const found = new Float64Array(rows.length * width);
  for (const [at, row] of rows.entries()) found.set(matrix.subarray(row * width, (row + 1) * width), at * width);
  return found;
}
