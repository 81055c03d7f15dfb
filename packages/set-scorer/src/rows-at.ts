/** The rows of a matrix (rows × `width`) at some places, one behind the other. */
export function rowsAt(matrix: Float32Array, width: number, places: ArrayLike<number>): Float32Array {
  const rows = new Float32Array(places.length * width);
  for (let at = 0; at < places.length; at++) {
    const place = places[at]!;
    rows.set(matrix.subarray(place * width, (place + 1) * width), at * width);
  }
  return rows;
}
