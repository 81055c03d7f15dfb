import { defineConfig, type UserConfig } from "tsdown";
import { library } from "../../tsdown.base.ts";

const config: UserConfig = defineConfig({ ...library, entry: ["src/index.ts"] });
export default config;
