/** A concave function: its value and slope at a point. */
export type ConcaveFunction = (theta: Float64Array) => { readonly value: number; readonly slope: Float64Array };

const MOST_STEPS = 120;
const MOST_HALVINGS = 30;
/** Ends where no slope is steeper. */
const FLAT = 1e-6;

/** The point where a smooth concave function is largest, by BFGS with halving of steps. */
export function fitMaximum(at: ConcaveFunction, start: Float64Array): Float64Array {
  const size = start.length;
  let theta = start;
  let { value, slope } = at(theta);
  // The inverse of the negative curvature, as far as it is known.
  let inverse: Float64Array[] = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (__, j) => Number(i === j)),
  );
  for (let step = 0; step < MOST_STEPS && slope.some((part) => Math.abs(part) > FLAT); step++) {
    const direction = Float64Array.from(inverse, (row) => dot(row, slope));
    const rise = dot(direction, slope);
    let share = 1;
    let next = moved(theta, direction, share);
    let there = at(next);
    for (let halving = 0; !(there.value >= value + 1e-4 * share * rise) && halving < MOST_HALVINGS; halving++) {
      share /= 2;
      next = moved(theta, direction, share);
      there = at(next);
    }
    if (!(there.value > value)) break;
    inverse = updated(inverse, moved(next, theta, -1), moved(slope, there.slope, -1));
    [theta, value, slope] = [next, there.value, there.slope];
  }
  return theta;
}

/** BFGS: the inverse after a move by which the slope has fallen. */
function updated(inverse: readonly Float64Array[], move: Float64Array, fall: Float64Array): Float64Array[] {
  const along = dot(move, fall);
  if (along <= 0) return [...inverse];
  const turned = Float64Array.from(inverse, (row) => dot(row, fall));
  const scale = (1 + dot(turned, fall) / along) / along;
  return inverse.map((row, i) =>
    row.map(
      (entry, j) => entry + scale * move[i]! * move[j]! - (turned[i]! * move[j]! + move[i]! * turned[j]!) / along,
    ),
  );
}

function moved(from: Float64Array, direction: Float64Array, share: number): Float64Array {
  return from.map((value, i) => value + share * direction[i]!);
}

function dot(left: Float64Array, right: Float64Array): number {
  return left.reduce((sum, value, i) => sum + value * right[i]!, 0);
}
