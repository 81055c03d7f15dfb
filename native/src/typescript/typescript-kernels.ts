import type { Kernels } from "../kernels.ts";
import { createVectorIndex } from "./vector-index.ts";

/** The kernels that run everywhere. */
export const typescriptKernels: Kernels = { implementation: "typescript", simd: "none", createVectorIndex };
