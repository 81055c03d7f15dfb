import { projectRows } from "@setwise/native";
import { ridgeRegression } from "./ridge.ts";
import { transposed } from "./transposed.ts";

/** Where a tool's text leads. */
export interface TextShape {
  /** Tools that training saw in a right set. */
  readonly seen: Uint32Array;
  /** d_r. */
  readonly dimensions: number;
  /** d_z. */
  readonly toolDimensions: number;
}

/**
 * The d_r × d_z matrix that leads from a tool's text to its row, by what training made of the tools it saw. With d_z = d_r it is I + A, A by ridge
 * regression of z − x, so that what no seen tool tells of stays as the text has it; with fewer it is the regression of z itself.
 */
export function textResidual(vectors: Float32Array, embeddings: Float32Array, shape: TextShape): Float32Array {
  const { seen, dimensions, toolDimensions } = shape;
  const isWhole = dimensions === toolDimensions;
  const target = isWhole ? embeddings.map((value, i) => value - vectors[i]!) : embeddings;
  const matrix = ridgeRegression(vectors, target, { rows: seen, width: dimensions, targetWidth: toolDimensions });
  if (isWhole) for (let i = 0; i < dimensions; i++) matrix[i * dimensions + i]! += 1;
  return matrix;
}

/** Rows of tools that are known by their texts only (vectors, N × d_r), each of length 1, or 0 where the text has no known word: N × d_z. */
export function textRows(matrix: Float32Array, vectors: Float32Array, dimensions: number): Float32Array {
  const width = matrix.length / dimensions;
  const rows = projectRows(transposed(matrix, width), vectors, { columns: dimensions });
  for (let start = 0; start < rows.length; start += width) {
    const row = rows.subarray(start, start + width);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (const [i, value] of row.entries()) row[i] = value / length;
  }
  return rows;
}
