import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Kernels, kernelInfo, openKernels } from "../src/index.ts";
import { loadAddon } from "../src/load-addon.ts";

/** One implementation to run a suite on, or the reason why it cannot run here. */
export interface Implementation {
  readonly name: string;
  readonly kernels?: Kernels;
  readonly skipped?: string;
}

const root: string = fileURLToPath(new URL("..", import.meta.url));

/** The file that `npm run build:addon` made, if it did; then it must load. */
export function builtAddon(): string | undefined {
  const file = readdirSync(root).find((name) => name.endsWith(".node"));
  return file === undefined ? undefined : join(root, file);
}

/** TypeScript, and native at every level this processor runs, unless the environment asks for TypeScript only. */
export function implementations(): readonly Implementation[] {
  const typescript: Implementation = { name: "typescript", kernels: openKernels("typescript") };
  const info = kernelInfo();
  if (process.env["SETWISE_KERNELS"] === "typescript") return [typescript, { name: "native", skipped: info.reason! }];
  const { addon } = loadAddon();
  if (addon === undefined) return [typescript, { name: "native", skipped: info.reason! }];
  const native = addon.simdLevels().map((level) => {
    const name = `native:${level}` as const;
    return { name, kernels: openKernels(name) };
  });
  return [typescript, ...native];
}
