import type { SimdLevel } from "../kernels.ts";
import type { Similarity, VectorIndexKernel } from "../vector-index-kernel.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";

/** The part of the addon behind {@link createNativeVectorIndex}. */
export interface VectorIndexAddon {
  createVectorIndex(
    dimensions: number,
    vectors: Float32Array,
    similarity: Similarity,
    simd: SimdLevel,
  ): VectorIndexKernel;
}

/** A vector index in native memory. */
export function createNativeVectorIndex(
  addon: Addon,
  simd: SimdLevel,
  dimensions: number,
  vectors: Float32Array,
  similarity: Similarity,
): VectorIndexKernel {
  const handle = calling(() => addon.createVectorIndex(dimensions, vectors, similarity, simd));
  return {
    search: (queries, k, allow, ids, scores) => calling(() => handle.search(queries, k, allow, ids, scores)),
    dispose: () => handle.dispose(),
  };
}
