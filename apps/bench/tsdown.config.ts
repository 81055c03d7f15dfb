import { defineConfig, type UserConfig } from "tsdown";
import { library } from "../../tsdown.base.ts";

const config: UserConfig = defineConfig({
  ...library,
  entry: ["src/main.ts", "src/set-model-speed-child.ts"],
  format: ["esm"],
  dts: false,
});
export default config;
