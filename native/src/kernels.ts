import type { Addon } from "./native/addon.ts";

/** The SIMD level of a native kernel, or `none` for the kernels in TypeScript. */
export type SimdLevel = "avx512" | "avx2" | "neon" | "scalar" | "none";

/**
 * Which implementation runs: opened once with {@link openKernels} and handed to the functions and classes of this package.
 * All give the same answers, so a caller needs to choose only to compare or to measure.
 *
 * Every capability looks here by itself for the addon and else brings its own TypeScript, so that a bundle holds only the
 * TypeScript kernels it uses.
 */
export interface Kernels {
  readonly implementation: "native" | "typescript";
  readonly simd: SimdLevel;
  /** The addon of native kernels; not for callers. */
  readonly addon?: Addon;
}
