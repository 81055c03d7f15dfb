import { factorise, solve } from "./cholesky.ts";

/** A value with its gradient. */
export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
  /**
   * About the negated second derivatives, positive definite: where the search begins it says how far to go in which direction. Without it the first step is
   * the gradient.
   */
  readonly curvature?: Float64Array;
}

export interface MaximiseOptions {
  /** 40 by default. */
  readonly mostSteps?: number;
  /** Steps that gain less than this share of the value are the last; 1e-6 by default. */
  readonly leastGain?: number;
}

const MOST_HALVINGS = 20;
/** Armijo's share of the gain that the slope promises. */
const SUFFICIENT = 1e-4;

/**
 * Where a smooth concave function is largest, from `start`: BFGS with backtracking (Nocedal and Wright, Numerical Optimization, algorithm 6.1). Made for
 * a handful of numbers. A step to where the value is not finite is halved, as one that gains nothing.
 */
export function maximise(
  start: Float64Array,
  slopeAt: (numbers: Float64Array) => Slope,
  { mostSteps = 40, leastGain = 1e-6 }: MaximiseOptions = {},
): Float64Array {
  const count = start.length;
  let numbers: Float64Array = start.slice();
  let here = slopeAt(numbers);
  const inverse = here.curvature === undefined ? identity(count) : inverseOf(here.curvature, count);
  for (let step = 0; step < mostSteps; step++) {
    const direction = times(inverse, here.gradient);
    const promised = dot(direction, here.gradient);
    if (!(promised > 0)) break;
    let length = 1;
    let next = moved(numbers, direction, length);
    let there = slopeAt(next);
    for (let half = 0; half < MOST_HALVINGS && !(there.value >= here.value + SUFFICIENT * length * promised); half++) {
      length /= 2;
      next = moved(numbers, direction, length);
      there = slopeAt(next);
    }
    const gain = there.value - here.value;
    if (!(gain > 0 && gain < Infinity)) break;
    const taken = direction.map((value) => value * length);
    const rise = here.gradient.map((value, i) => value - there.gradient[i]!);
    update(inverse, taken, rise);
    [numbers, here] = [next, there];
    if (gain < leastGain * Math.abs(here.value)) break;
  }
  return numbers;
}

function identity(count: number): Float64Array {
  const matrix = new Float64Array(count * count);
  for (let i = 0; i < count; i++) matrix[i * count + i] = 1;
  return matrix;
}

function inverseOf(matrix: Float64Array, count: number): Float64Array {
  const inverse = identity(count);
  const lower = matrix.slice();
  factorise(lower, count);
  solve(lower, inverse, count, count);
  return inverse;
}

/** The inverse of the negated second derivatives, after a step s over which the negated gradient rose by y. */
function update(inverse: Float64Array, step: Float64Array, rise: Float64Array): void {
  const count = step.length;
  const curvature = dot(step, rise);
  if (!(curvature > 0)) return;
  const product = times(inverse, rise);
  const factor = (1 + dot(rise, product) / curvature) / curvature;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      inverse[i * count + j]! +=
        factor * step[i]! * step[j]! - (product[i]! * step[j]! + step[i]! * product[j]!) / curvature;
    }
  }
}

function moved(numbers: Float64Array, direction: Float64Array, length: number): Float64Array {
  return numbers.map((value, i) => value + length * direction[i]!);
}

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  const count = vector.length;
  return vector.map((_, i) => dot(matrix.subarray(i * count, (i + 1) * count), vector));
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
}
