import { type KernelChoice, openKernels, VectorIndex } from "@setwise/native";
import { interleave } from "./interleave.ts";

const ROWS = 13_860;
const DIMENSIONS = 768;
const K = 15;
const ROUNDS = 41;
const LEVELS = ["native:avx512", "native:avx2", "native:neon", "native:scalar", "typescript"] as const;

/** Exact top 15 over vectors, one query a call, one thread: every level this processor has, against the TypeScript kernels. */
export function vectorScan(print: (line: string) => void): void {
  const random = sequence(1);
  const vectors = Float32Array.from({ length: ROWS * DIMENSIONS }, random);
  const queries = Array.from({ length: ROUNDS + 1 }, () => Float32Array.from({ length: DIMENSIONS }, random));
  const sides = LEVELS.flatMap((level) => {
    const index = openIndex(level, vectors);
    return index === undefined ? [] : [{ level, index, round: 0 }];
  });
  const { medians, rounds } = interleave(
    sides.map((side) => () => void side.index.search(queries[side.round++] as Float32Array, K)),
    ROUNDS,
  );
  print(`top ${K} of ${ROWS} × ${DIMENSIONS}, cosine, median of ${rounds}`);
  const typescript = medians.at(-1) ?? 0;
  for (const [i, { level, index }] of sides.entries()) {
    const milliseconds = medians[i] ?? 0;
    const gigabytes = (ROWS * DIMENSIONS * 4) / milliseconds / 1e6;
    print(
      `${level.padEnd(14)} ${milliseconds.toFixed(2).padStart(6)} ms ${gigabytes.toFixed(1).padStart(6)} GB/s ${(typescript / milliseconds).toFixed(1).padStart(5)} × TypeScript`,
    );
    index.dispose();
  }
}

/** The index on one level, or nothing where the processor or the addon lacks it. */
function openIndex(level: KernelChoice, vectors: Float32Array): VectorIndex | undefined {
  try {
    return new VectorIndex({ dimensions: DIMENSIONS, vectors, similarity: "cosine", kernels: openKernels(level) });
  } catch {
    return undefined;
  }
}

/** Numbers in −0.5..0.5 from a fixed sequence. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}
