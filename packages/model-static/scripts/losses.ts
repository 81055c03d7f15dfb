/** A loss of a square of similarities (count × count), with its gradient. */
export interface Loss {
  readonly value: number;
  readonly gradient: Float32Array;
}

/**
 * Row i and column i belong together and should be nearer than all others, from either side (InfoNCE, van den Oord et al.
 * 2018, equation 4, averaged over both sides): − mean log softmax(similarity / temperature). `same(i, k)` says that the
 * texts of i and k are equal on one side: such a pair is neither right nor wrong and counts for nothing.
 */
export function contrastLoss(
  products: Float32Array,
  count: number,
  { temperature, same }: { readonly temperature: number; readonly same: (left: number, right: number) => boolean },
): Loss {
  const gradient = new Float32Array(products.length);
  let value = 0;
  const others = Array.from({ length: count }, (_, left) =>
    Array.from({ length: count }, (_, right) => right).filter((right) => right === left || !same(left, right)),
  );
  for (const [rowStep, columnStep] of [[count, 1] as const, [1, count] as const])
    for (let own = 0; own < count; own++) {
      const places = others[own]!.map((other) => own * rowStep + other * columnStep);
      const shares = softmax(places.map((place) => products[place]! / temperature));
      for (const [index, place] of places.entries()) {
        const target = others[own]![index] === own ? 1 : 0;
        if (target === 1) value -= Math.log(shares[index]! || 1e-30) / (2 * count);
        gradient[place]! += (shares[index]! - target) / (2 * count * temperature);
      }
    }
  return { value, gradient };
}

/**
 * The similarities of each row to the others should be distributed as the teacher's are (Kullback–Leibler divergence of the
 * softmax, mean over rows; Hinton et al. 2015). A text with itself says nothing and is left out.
 */
export function distilLoss(
  products: Float32Array,
  teacher: Float32Array,
  count: number,
  { temperature, same }: { readonly temperature: number; readonly same: (left: number, right: number) => boolean },
): Loss {
  const gradient = new Float32Array(products.length);
  let value = 0;
  for (let row = 0; row < count; row++) {
    const columns = Array.from({ length: count }, (_, column) => column).filter((column) => !same(row, column));
    const wanted = softmax(columns.map((column) => teacher[row * count + column]! / temperature));
    const shares = softmax(columns.map((column) => products[row * count + column]! / temperature));
    for (const [index, column] of columns.entries()) {
      if (wanted[index]! > 0) value += (wanted[index]! * Math.log(wanted[index]! / (shares[index]! || 1e-30))) / count;
      gradient[row * count + column] = (shares[index]! - wanted[index]!) / (count * temperature);
    }
  }
  return { value, gradient };
}

function softmax(values: readonly number[]): number[] {
  const most = values.reduce((largest, value) => Math.max(largest, value), -Infinity);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
