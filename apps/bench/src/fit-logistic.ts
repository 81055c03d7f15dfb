import { factorise, solve } from "@setwise/core";

export interface LogisticRow {
  readonly values: readonly number[];
  readonly isTrue: boolean;
  readonly weight: number;
}

const STEPS = 25;
/** So weak that it only keeps separable rows finite. */
const RIDGE = 1e-6;

/** Weighted logistic regression by Newton's method: logit P(true) = Σ coefficient · value + bias. */
export function fitLogistic(rows: readonly LogisticRow[]): {
  readonly coefficients: readonly number[];
  readonly bias: number;
} {
  const size = (rows[0]?.values.length ?? 0) + 1;
  const theta = new Float64Array(size);
  for (let step = 0; step < STEPS; step++) {
    const gradient = theta.map((value) => -RIDGE * value);
    // Its lower triangle alone.
    const curvature = new Float64Array(size * size);
    for (let i = 0; i < size; i++) curvature[i * size + i] = RIDGE;
    for (const { values, isTrue, weight } of rows) {
      const inputs = [...values, 1];
      const probability = 1 / (1 + Math.exp(-inputs.reduce((sum, value, i) => sum + value * theta[i]!, 0)));
      for (let i = 0; i < size; i++) {
        gradient[i]! += weight * (Number(isTrue) - probability) * inputs[i]!;
        for (let j = 0; j <= i; j++)
          curvature[i * size + j]! += weight * probability * (1 - probability) * inputs[i]! * inputs[j]!;
      }
    }
    factorise(curvature, size);
    solve(curvature, gradient, size, 1);
    for (const [i, change] of gradient.entries()) theta[i]! += change;
  }
  return { coefficients: [...theta.subarray(0, size - 1)], bias: theta[size - 1]! };
}
