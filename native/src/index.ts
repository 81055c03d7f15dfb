export { KernelError, type KernelErrorCode } from "./errors.ts";
export type { KernelChoice } from "./kernel-choice.ts";
export type { Kernels, SimdLevel } from "./kernels.ts";
export { type KernelInfo, kernelInfo, openKernels } from "./open-kernels.ts";
export { VectorIndex, type VectorIndexOptions, type VectorMatches, type VectorSearchOptions } from "./vector-index.ts";
export type { Similarity } from "./vector-index-kernel.ts";
