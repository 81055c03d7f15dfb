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
    const curvature = Array.from({ length: columns }, () => new Float64Array(columns));
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
        for (let j = 0; j <= i; j++) curvature[i]![j]! += curve * value * x[j]!;
      }
    }
    for (let i = 0; i < columns; i++) {
      curvature[i]![i]! += 2 * ridge;
      for (let j = i + 1; j < columns; j++) curvature[i]![j] = curvature[j]![i]!;
    }
    for (const [i, change] of solved(curvature, gradient).entries()) coefficients[i]! -= change;
  }
  return coefficients;
}

/** x with matrix · x = vector, for a positive definite matrix, by elimination. */
function solved(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  const rows = matrix.map((row, i) => Float64Array.of(...row, vector[i]!));
  for (let pivot = 0; pivot < rows.length; pivot++) {
    for (let i = 0; i < rows.length; i++) {
      if (i === pivot) continue;
      const factor = rows[i]![pivot]! / rows[pivot]![pivot]!;
      for (let j = pivot; j <= rows.length; j++) rows[i]![j]! -= factor * rows[pivot]![j]!;
    }
  }
  return Float64Array.from(rows, (row, i) => row[rows.length]! / row[i]!);
}
