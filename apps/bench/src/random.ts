/** Numbers in 0..1 (neither of them) from a fixed sequence. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

/** Normally distributed numbers of a sequence. */
export function gaussian(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}

/** How rows lie: in clusters as embeddings of tools do, or evenly, which is the hardest case for bounds. */
export type Spread = "clustered" | "even";

const clusters = 200;
/** Distance from a cluster's middle, against that of the middle from the origin. */
const spreadInCluster = 0.7;

/** Rows of length 1, one behind the other. */
export function unitRows(rows: number, dimensions: number, spread: Spread, normal: () => number): Float32Array {
  const centres = Float32Array.from({ length: spread === "even" ? 0 : clusters * dimensions }, normal);
  const vectors = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row += 1) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    const centre = (row % clusters) * dimensions;
    let square = 0;
    for (let i = 0; i < dimensions; i += 1) {
      const number = spread === "even" ? normal() : centres[centre + i]! + spreadInCluster * normal();
      vector[i] = number;
      square += number * number;
    }
    const length = Math.sqrt(square);
    for (let i = 0; i < dimensions; i += 1) vector[i]! /= length;
  }
  return vectors;
}
