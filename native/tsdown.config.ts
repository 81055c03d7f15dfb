import { defineConfig, type UserConfig } from "tsdown";
import { library } from "../tsdown.base.ts";

const config: UserConfig = defineConfig({
  ...library,
  entry: ["src/index.ts"],
  // Declarations that name Symbol.dispose bring it along.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
});
export default config;
