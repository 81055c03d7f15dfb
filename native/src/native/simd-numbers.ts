import type { SimdLevel } from "../kernels.ts";

/** The numbers of the levels in `crates/kernels`; `none` is not among them. */
export const simdNumbers: Readonly<Record<SimdLevel, number>> = { scalar: 0, neon: 1, avx2: 2, avx512: 3, none: -1 };
