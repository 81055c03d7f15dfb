import { openKernels, VectorIndex } from "@setwise/native";
import { kernelInfo } from "setwise";
import { interleave } from "./interleave.ts";

const SIZES = [
  [13_860, 384],
  [13_860, 768],
] as const;
const K = 15;
const ROUNDS = 21;

/** Exact top 15 over unit vectors: the addon against the TypeScript kernels, one thread each. */
export function vectorScan(print: (line: string) => void): void {
  if (kernelInfo().implementation !== "native") {
    print(`no addon here, nothing to compare: ${kernelInfo().reason ?? ""}`);
    return;
  }
  for (const [rows, dimensions] of SIZES) {
    const vectors = unitVectors(rows, dimensions);
    const query = vectors.slice(0, dimensions);
    const sides = (["native", "typescript"] as const).map((kernels) => {
      const index = new VectorIndex({ dimensions, vectors, kernels: openKernels(kernels) });
      return () => void index.search(query, K);
    });
    const { medians, rounds } = interleave(sides, ROUNDS);
    const [native = 0, typescript = 0] = medians;
    print(
      `top ${K} of ${rows} × ${dimensions}, median of ${rounds}: native ${native.toFixed(2)} ms, TypeScript ${typescript.toFixed(2)} ms, ratio ${(typescript / native).toFixed(1)}`,
    );
  }
}

/** Rows of length 1 from a fixed sequence. */
function unitVectors(rows: number, dimensions: number): Float32Array {
  const vectors = new Float32Array(rows * dimensions);
  let state = 1;
  for (let row = 0; row < rows; row++) {
    const from = row * dimensions;
    let square = 0;
    for (let i = from; i < from + dimensions; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      vectors[i] = state / 2 ** 31;
      square += (state / 2 ** 31) ** 2;
    }
    for (let i = from; i < from + dimensions; i++) vectors[i] = (vectors[i] ?? 0) / Math.sqrt(square);
  }
  return vectors;
}
