import { factorise, solve } from "@setwise/core";

/** Rows of evidence with what each says, and what it counts. */
export interface EvidenceRows {
  readonly columns: number;
  /** Rows × columns: hundreds of thousands of rows, so no objects. */
  readonly values: Float32Array;
  /** 1 or 0. */
  readonly labels: Uint8Array;
  readonly weights: Float32Array;
}

/** Newton steps: the loss is convex and smooth, so few are needed. */
const STEPS = 12;

/** Coefficients c that minimise Σ w·log-loss(1 / (1 + exp(−c·x)), y) + ridge·|c|², by Newton's method. */
export function fitLinkWeights({ columns, values, labels, weights }: EvidenceRows, ridge: number): Float64Array {
  const coefficients = new Float64Array(columns);
  for (let step = 0; step < STEPS; step++) {
    const gradient = coefficients.map((value) => 2 * ridge * value);
    // Its lower triangle alone.
    const curvature = new Float64Array(columns * columns);
    for (let i = 0; i < columns; i++) curvature[i * columns + i] = 2 * ridge;
    for (let row = 0; row < labels.length; row++) {
      const x = values.subarray(row * columns, (row + 1) * columns);
      let sum = 0;
      for (let i = 0; i < columns; i++) sum += x[i]! * coefficients[i]!;
      const share = 1 / (1 + Math.exp(-sum));
      const error = weights[row]! * (share - labels[row]!);
      const curve = weights[row]! * Math.max(share * (1 - share), 1e-6);
      for (let i = 0; i < columns; i++) {
        const value = x[i]!;
        if (value === 0) continue;
        gradient[i]! += error * value;
        for (let j = 0; j <= i; j++) curvature[i * columns + j]! += curve * value * x[j]!;
      }
    }
    factorise(curvature, columns);
    solve(curvature, gradient, columns, 1);
    for (const [i, change] of gradient.entries()) coefficients[i]! -= change;
  }
  return coefficients;
}
