import { dot, multiply, multiplyTransposed, type Reals, type RealsConstructor } from "./reals.ts";
import type { Candidates } from "./sampling.ts";

/**
 * The pair scores of the candidates of a batch, z_a · M_m z_b, and their gradients, as `pairs.rs`: W_m = Z M_m for the tools that take part; with
 * Γ_m[a, b] the sum of the gradients of a pair of a set of size m and Y_m = Γ_m Z, the gradient of M_m is ½ Zᵀ Y_m and that of Z is Σ_m Y_m M_m.
 */
export interface Pairs {
  /** Σ_{a<b} z_a · M_m z_b of the set in a place, of two tools or more. */
  score(place: number): number;
  /** Adds the gradients of M and Z, given those of the scores of all places. */
  back(gradients: Float64Array, ofInteractions: Reals | undefined, ofEmbeddings: Reals | undefined): void;
}

/** Computes W; `matrixOf` says which matrix a size has. */
export function preparePairs(
  { sizes, members, room }: Candidates,
  embeddings: Reals,
  interactions: Reals,
  width: number,
  matrixOf: (size: number) => number,
  Numbers: RealsConstructor,
): Pairs {
  const square = width * width;
  const matrices = interactions.length / square;
  const { touched, local } = touchedTools({ sizes, members, room }, embeddings.length / width);
  const rows = touched.length;
  const taken = new Numbers(rows * width);
  for (const [row, tool] of touched.entries()) taken.set(embeddings.subarray(tool * width, (tool + 1) * width), row * width); // prettier-ignore
  const products = new Numbers(matrices * rows * width);
  const part = (values: Reals, matrix: number): Reals => values.subarray(matrix * rows * width, (matrix + 1) * rows * width); // prettier-ignore
  const matrixAt = (matrix: number): Reals => interactions.subarray(matrix * square, (matrix + 1) * square);
  for (let matrix = 0; matrix < matrices; matrix += 1) {
    multiply(taken, matrixAt(matrix), part(products, matrix), rows, width, width);
  }
  return {
    score(place) {
      const [size, at] = [sizes[place]!, place * room];
      const start = matrixOf(size) * rows * width;
      let sum = 0;
      for (let i = 0; i < size; i += 1) {
        const a = local[members[at + i]!]! * width;
        for (let j = i + 1; j < size; j += 1) {
          sum += dot(taken, a, products, start + local[members[at + j]!]! * width, width);
        }
      }
      return sum;
    },
    back(gradients, ofInteractions, ofEmbeddings) {
      if (rows * matrices === 0 || (ofInteractions === undefined && ofEmbeddings === undefined)) return;
      const sums = new Numbers(matrices * rows * width);
      const add = (matrix: number, to: number, from: number, factor: number): void => {
        const [target, source] = [(matrix * rows + to) * width, from * width];
        for (let i = 0; i < width; i += 1) sums[target + i]! += factor * taken[source + i]!;
      };
      for (const [place, gradient] of gradients.entries()) {
        const [size, at] = [sizes[place]!, place * room];
        for (let i = 0; i < size; i += 1) {
          for (let j = i + 1; j < size; j += 1) {
            const [a, b] = [local[members[at + i]!]!, local[members[at + j]!]!];
            add(matrixOf(size), a, b, gradient);
            add(matrixOf(size), b, a, gradient);
          }
        }
      }
      for (let matrix = 0; matrix < matrices; matrix += 1) {
        if (ofInteractions === undefined) break;
        const found = new Numbers(square);
        multiplyTransposed(taken, part(sums, matrix), found, width, rows, width);
        for (let i = 0; i < square; i += 1) ofInteractions[matrix * square + i]! += 0.5 * found[i]!;
      }
      if (ofEmbeddings === undefined) return;
      const found = new Numbers(rows * width);
      for (let matrix = 0; matrix < matrices; matrix += 1) {
        multiply(part(sums, matrix), matrixAt(matrix), found, rows, width, width);
      }
      for (const [row, tool] of touched.entries()) {
        for (let i = 0; i < width; i += 1) ofEmbeddings[tool * width + i]! += found[row * width + i]!;
      }
    },
  };
}

/** Tools that are in a candidate of two or more, ascending, and the place of each among them. */
function touchedTools(
  { sizes, members, room }: Pick<Candidates, "sizes" | "members" | "room">,
  tools: number,
): { readonly touched: Uint32Array; readonly local: Uint32Array } {
  const marks = new Uint8Array(tools);
  for (const [place, size] of sizes.entries()) {
    if (size < 2) continue;
    for (let i = 0; i < size; i += 1) marks[members[place * room + i]!] = 1;
  }
  const touched = Uint32Array.from(marks.keys()).filter((tool) => marks[tool] === 1);
  const local = new Uint32Array(tools);
  for (const [row, tool] of touched.entries()) local[tool] = row;
  return { touched, local };
}
