import { KernelError } from "./errors.ts";
import type { SimdLevel } from "./kernels.ts";

/**
 * Which kernels to use: the addon if it loads (`auto`), only the addon (`native`), the addon at a lower SIMD level than the
 * processor has (`native:avx2`), or TypeScript.
 */
export type KernelChoice = "auto" | "native" | "typescript" | `native:${Exclude<SimdLevel, "none">}`;

const choices: readonly KernelChoice[] = [
  "auto",
  "native",
  "typescript",
  "native:avx512",
  "native:avx2",
  "native:neon",
  "native:scalar",
];

/** Reads a choice; nothing and the empty text are `auto`. `source` names where the text came from in the error. */
export function parseKernelChoice(text: string | undefined, source: string): KernelChoice {
  if (text === undefined || text === "") return "auto";
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  throw new KernelError("invalid-argument", `${source}: expected one of ${choices.join(", ")}, got "${text}".`);
}
