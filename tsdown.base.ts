import type { UserConfig } from "tsdown";

/** How every package is built: ESM and CommonJS side by side, each with its own declarations. */
export const library: UserConfig = {
  format: ["esm", "cjs"],
  target: "node20",
  platform: "node",
  dts: { oxc: true },
  fixedExtension: true,
  sourcemap: false,
  clean: true,
};
