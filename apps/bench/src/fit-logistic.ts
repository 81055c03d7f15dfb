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
    const curvature = Array.from({ length: size }, (_, i) =>
      Float64Array.from({ length: size }, (__, j) => Number(i === j) * RIDGE),
    );
    for (const { values, isTrue, weight } of rows) {
      const inputs = [...values, 1];
      const probability = 1 / (1 + Math.exp(-inputs.reduce((sum, value, i) => sum + value * theta[i]!, 0)));
      for (let i = 0; i < size; i++) {
        gradient[i]! += weight * (Number(isTrue) - probability) * inputs[i]!;
        for (let j = 0; j < size; j++)
          curvature[i]![j]! += weight * probability * (1 - probability) * inputs[i]! * inputs[j]!;
      }
    }
    for (const [i, change] of solved(curvature, gradient).entries()) theta[i]! += change;
  }
  return { coefficients: [...theta.subarray(0, size - 1)], bias: theta[size - 1]! };
}

/** x with matrix · x = vector, for a positive definite matrix, by elimination. */
function solved(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  const rows = matrix.map((row, i) => Float64Array.of(...row, vector[i]!));
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    for (let i = 0; i < size; i++) {
      if (i === pivot) continue;
      const factor = rows[i]![pivot]! / rows[pivot]![pivot]!;
      for (let j = pivot; j <= size; j++) rows[i]![j]! -= factor * rows[pivot]![j]!;
    }
  }
  return Float64Array.from(rows, (row, i) => row[size]! / row[i]!);
}
