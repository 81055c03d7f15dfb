import { KernelError } from "../errors.ts";
import type { Kernels, SimdLevel, VectorIndexKernel } from "../kernels.ts";
import type { Addon } from "./addon.ts";

/** The kernels of an addon at one SIMD level that the processor has. */
export function nativeKernels(addon: Addon, simd: Exclude<SimdLevel, "none">): Kernels {
  return {
    implementation: "native",
    simd,
    createVectorIndex: (dimensions, vectors, similarity): VectorIndexKernel => {
      const handle = calling(() => addon.createVectorIndex(dimensions, vectors, similarity, simd));
      return {
        search: (queries, k, allow, ids, scores) => calling(() => handle.search(queries, k, allow, ids, scores)),
        dispose: () => handle.dispose(),
      };
    },
  };
}

/** Makes the addon's errors, which carry a code, into ours. */
function calling<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    const known = code === "invalid-argument" || code === "too-large" ? code : "internal";
    throw new KernelError(known, String(message), { cause });
  }
}
