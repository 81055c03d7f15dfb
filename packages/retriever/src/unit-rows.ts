/** How far from 1 the length of a row may be: encoders that keep 16 bits for a number miss it by half of this. */
const LENGTH_TOLERANCE = 1e-3;

/**
 * The first row whose length is neither 1 nor 0, with that length, which is not finite where a number of the row is not;
 * `undefined` where all rows are as an encoder must give them.
 */
export function wrongRow(
  rows: Float32Array,
  dimensions: number,
): { readonly row: number; readonly length: number } | undefined {
  for (let start = 0; start < rows.length; start += dimensions) {
    let sum = 0;
    for (let place = start; place < start + dimensions; place++) sum += rows[place]! * rows[place]!;
    if (sum === 0) continue;
    const length = Math.sqrt(sum);
    if (!(Math.abs(length - 1) <= LENGTH_TOLERANCE)) return { row: start / dimensions, length };
  }
  return undefined;
}
