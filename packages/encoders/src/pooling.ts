/** How the vectors of a text's tokens become one; named as in `1_Pooling/config.json` of sentence-transformers. */
export type Pooling = "mean" | "mean_sqrt_len" | "weightedmean" | "max" | "cls" | "lasttoken";

export const poolings: readonly Pooling[] = ["mean", "mean_sqrt_len", "weightedmean", "max", "cls", "lasttoken"];

/**
 * Writes into `pooled` one vector for the `tokens` × `pooled.length` numbers from `start` on: the first token, the
 * last, the largest of each dimension, the sum over √n, the mean, or the mean with weights 1, 2, … n (Muennighoff 2022,
 * equation 2). Length is left as it comes.
 */
export function poolTokens(
  pooling: Pooling,
  { numbers, start, tokens }: { readonly numbers: Float32Array; readonly start: number; readonly tokens: number },
  pooled: Float32Array,
): void {
  const dimensions = pooled.length;
  if (pooling === "cls" || pooling === "lasttoken") {
    const token = pooling === "cls" ? 0 : tokens - 1;
    pooled.set(numbers.subarray(start + token * dimensions, start + (token + 1) * dimensions));
    return;
  }
  pooled.fill(pooling === "max" ? -Infinity : 0);
  for (let token = 0; token < tokens; token++) {
    const weight = tokenWeight(pooling, token, tokens);
    const row = start + token * dimensions;
    for (let index = 0; index < dimensions; index++) {
      const value = numbers[row + index]!;
      if (pooling === "max") pooled[index] = Math.max(pooled[index]!, value);
      else pooled[index]! += value * weight;
    }
  }
}

function tokenWeight(pooling: Pooling, token: number, tokens: number): number {
  if (pooling === "weightedmean") return (2 * (token + 1)) / (tokens * (tokens + 1));
  return pooling === "mean_sqrt_len" ? 1 / Math.sqrt(tokens) : 1 / tokens;
}

/** Scales `vector` to length 1, zeros staying zeros; gives whether its numbers are finite. */
export function scaleToUnit(vector: Float32Array): boolean {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += vector[index]! * vector[index]!;
  if (!Number.isFinite(squares)) return false;
  const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = vector[index]! * inverse;
  return true;
}
