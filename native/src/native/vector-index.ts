import type { SimdLevel } from "../kernels.ts";
import type { Precision, Similarity, VectorIndexKernel, VectorIndexShape } from "../vector-index-kernel.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";

/** The part of the addon behind the native vector index. */
export interface VectorIndexAddon {
  createVectorIndex(
    dimensions: number,
    vectors: Float32Array,
    similarity: Similarity,
    precision: Precision,
    threads: number,
    restored: boolean,
    simd: SimdLevel,
  ): VectorIndexKernel;
  mapVectorIndex(
    path: string,
    start: number,
    rows: number,
    dimensions: number,
    similarity: Similarity,
    precision: Precision,
    threads: number,
    simd: SimdLevel,
  ): VectorIndexKernel;
}

/** A vector index in native memory; `restored` rows are taken as they are. */
export function createNativeVectorIndex(
  addon: Addon,
  simd: SimdLevel,
  { dimensions, similarity, precision, threads }: VectorIndexShape,
  vectors: Float32Array,
  restored: boolean,
): VectorIndexKernel {
  return wrap(
    calling(() => addon.createVectorIndex(dimensions, vectors, similarity, precision, threads, restored, simd)),
  );
}

/** A vector index over rows that stand in a file from byte `start` on. */
export function mapNativeVectorIndex(
  addon: Addon,
  simd: SimdLevel,
  { dimensions, similarity, precision, threads }: VectorIndexShape,
  path: string,
  start: number,
  rows: number,
): VectorIndexKernel {
  return wrap(calling(() => addon.mapVectorIndex(path, start, rows, dimensions, similarity, precision, threads, simd)));
}

function wrap(handle: VectorIndexKernel): VectorIndexKernel {
  return {
    search: (queries, k, together, allow, exclude, ids, scores) =>
      calling(() => handle.search(queries, k, together, allow, exclude, ids, scores)),
    add: (vectors) => calling(() => handle.add(vectors)),
    replace: (ordinals, vectors) => calling(() => handle.replace(ordinals, vectors)),
    remove: (ordinals) => calling(() => handle.remove(ordinals)),
    readRows: (first, target) => calling(() => handle.readRows(first, target)),
    readRemoved: (target) => calling(() => handle.readRemoved(target)),
    dispose: () => handle.dispose(),
  };
}
