import { defineConfig, type UserConfig } from "tsdown";
import { library } from "../../../tsdown.base.ts";

// Not part of the package: bundled into scripts/dist to be run here. The encoders are reached through the workspace and
// are no dependency in package.json, since their own tests depend on this package. The testkit has no build and is bundled.
const config: UserConfig = defineConfig({
  ...library,
  entry: ["make-table.ts"],
  outDir: "dist",
  format: ["esm"],
  dts: false,
  deps: { neverBundle: [/^@setwise\/(?!testkit)/, /^@huggingface\//, "onnxruntime-node"] },
});
export default config;
