import { type Kernels, openKernels } from "@setwise/native";

/** Native kernels first, best level first, the TypeScript kernels last. */
const choices = ["native:avx512", "native:avx2", "native:neon", "native:scalar", "typescript"] as const;

export interface Level {
  readonly name: string;
  readonly kernels: Kernels;
}

/** Every level that this processor and this installation have. */
export function kernelLevels(): readonly Level[] {
  return choices.flatMap((name) => {
    try {
      return [{ name: name.replace("native:", ""), kernels: openKernels(name) }];
    } catch {
      return [];
    }
  });
}
