/** The scalar product of each of `count` rows of a with each of b, count × count. `count` is a multiple of 4. */
export function similarities(a: Float32Array, b: Float32Array, count: number): Float32Array {
  const dimensions = a.length / count;
  const products = new Float32Array(count * count);
  for (let row = 0; row < count; row++) {
    const at = row * dimensions;
    for (let column = 0; column < count; column += 4) {
      const first = column * dimensions;
      const second = first + dimensions;
      const third = second + dimensions;
      const fourth = third + dimensions;
      let [w, x, y, z] = [0, 0, 0, 0];
      for (let index = 0; index < dimensions; index++) {
        const value = a[at + index]!;
        w += value * b[first + index]!;
        x += value * b[second + index]!;
        y += value * b[third + index]!;
        z += value * b[fourth + index]!;
      }
      const place = row * count + column;
      products[place] = w;
      products[place + 1] = x;
      products[place + 2] = y;
      products[place + 3] = z;
    }
  }
  return products;
}

/** From the gradient by the products to those by the rows of a and of b. */
export function backToRows(
  byProducts: Float32Array,
  a: Float32Array,
  b: Float32Array,
  count: number,
): readonly [Float32Array, Float32Array] {
  const dimensions = a.length / count;
  const byA = new Float32Array(a.length);
  const byB = new Float32Array(b.length);
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++) {
      const slope = byProducts[row * count + column]!;
      // Most of a softmax is nothing; the sum of what is left out here is below the rounding of 32 bits.
      if (Math.abs(slope) < 1e-7) continue;
      const at = row * dimensions;
      const to = column * dimensions;
      for (let index = 0; index < dimensions; index++) {
        byA[at + index]! += slope * b[to + index]!;
        byB[to + index]! += slope * a[at + index]!;
      }
    }
  return [byA, byB];
}
