/**
 * The greatest inner product of each row with several anchors, nearly: products are added in float64 in one chain, so that a
 * number is within (stride + 8)·2^-53·|row|·|anchor| of the true one (Higham, Accuracy and Stability, section 3.1). Three rows by
 * five anchors share every number that is read; it was the fastest of twelve shapes, since more sums no longer fit the registers.
 */

/** Anchors of one group. */
const groupWidth = 5;

/** Relative error of {@link scanMaximum}, with room for the roundings of the definition itself. */
export function maximumError(stride: number): number {
  return (stride + 16) * 2 ** -52;
}

/** Numbers that {@link packAnchors} needs. */
export function packedLength(stride: number, anchors: number): number {
  return Math.ceil(anchors / groupWidth) * groupWidth * stride;
}

/** Puts anchors (one or more, row by row) side by side in groups; a group that is not full repeats the last anchor. */
export function packAnchors(rows: Float32Array, stride: number, anchors: number, packed: Float64Array): void {
  const places = Math.ceil(anchors / groupWidth) * groupWidth;
  for (let place = 0; place < places; place += 1) {
    const from = Math.min(place, anchors - 1) * stride;
    let to = Math.floor(place / groupWidth) * groupWidth * stride + (place % groupWidth);
    for (let i = 0; i < stride; i += 1, to += groupWidth) packed[to] = rows[from + i]!;
  }
}

/** Writes into `greatest[i]` the greatest product of row `ordinals[i]` (row i where there are no ordinals). */
export function scanMaximum(
  matrix: Float32Array,
  stride: number,
  ordinals: Uint32Array | undefined,
  packed: Float64Array,
  packedEnd: number,
  greatest: Float32Array,
  count: number,
): void {
  for (let i = 0; i < count; i += 3) {
    // The last rows are repeated where three no longer fit.
    const j = Math.min(i + 1, count - 1);
    const k = Math.min(i + 2, count - 1);
    const startA = (ordinals === undefined ? i : ordinals[i]!) * stride;
    const startB = (ordinals === undefined ? j : ordinals[j]!) * stride;
    const startC = (ordinals === undefined ? k : ordinals[k]!) * stride;
    let greatestA = Number.NEGATIVE_INFINITY;
    let greatestB = Number.NEGATIVE_INFINITY;
    let greatestC = Number.NEGATIVE_INFINITY;
    for (let q = 0; q < packedEnd;) {
      let [a0, a1, a2, a3, a4] = [0, 0, 0, 0, 0];
      let [b0, b1, b2, b3, b4] = [0, 0, 0, 0, 0];
      let [c0, c1, c2, c3, c4] = [0, 0, 0, 0, 0];
      for (let x = 0; x < stride; x += 1, q += groupWidth) {
        const a = matrix[startA + x]!;
        const b = matrix[startB + x]!;
        const c = matrix[startC + x]!;
        const q0 = packed[q]!;
        a0 += a * q0;
        b0 += b * q0;
        c0 += c * q0;
        const q1 = packed[q + 1]!;
        a1 += a * q1;
        b1 += b * q1;
        c1 += c * q1;
        const q2 = packed[q + 2]!;
        a2 += a * q2;
        b2 += b * q2;
        c2 += c * q2;
        const q3 = packed[q + 3]!;
        a3 += a * q3;
        b3 += b * q3;
        c3 += c * q3;
        const q4 = packed[q + 4]!;
        a4 += a * q4;
        b4 += b * q4;
        c4 += c * q4;
      }
      greatestA = Math.max(greatestA, a0, a1, a2, a3, a4);
      greatestB = Math.max(greatestB, b0, b1, b2, b3, b4);
      greatestC = Math.max(greatestC, c0, c1, c2, c3, c4);
    }
    greatest[k] = greatestC;
    greatest[j] = greatestB;
    greatest[i] = greatestA;
  }
}
