import type { Similarity, SimdLevel, VectorIndexKernel } from "../kernels.ts";

/** The version of the boundary that this source speaks; raised together with the constant of that name in the binding. */
export const boundaryVersion = 1;

/** What `crates/binding` exports. Numbers arrive unchecked: Node-API makes a u32 of −1, 1.5 or NaN without a word. */
export interface Addon {
  boundaryVersion(): number;
  /** Levels that this processor runs, best first. */
  simdLevels(): readonly Exclude<SimdLevel, "none">[];
  createVectorIndex(
    dimensions: number,
    vectors: Float32Array,
    similarity: Similarity,
    simd: SimdLevel,
  ): VectorIndexKernel;
}
