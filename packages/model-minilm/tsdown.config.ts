import { defineConfig, type UserConfig } from "tsdown";
import { library } from "../../tsdown.base.ts";

const config: UserConfig = defineConfig({ ...library, entry: ["src/index.ts"], shims: true });
export default config;
