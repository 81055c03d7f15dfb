/** The matrix (rows × `width`) with its columns as rows. */
export function transposed(matrix: Float32Array, width: number): Float32Array {
  const rows = width === 0 ? 0 : matrix.length / width;
  const target = new Float32Array(matrix.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) target[column * rows + row] = matrix[row * width + column]!;
  }
  return target;
}
