import { defineConfig, type UserConfig } from "tsdown";
import { library } from "../../tsdown.base.ts";

// The static encoder is on the way from cold start to the first answer, so it can be loaded without the others.
const config: UserConfig = defineConfig({ ...library, entry: ["src/index.ts", "src/static.ts"] });
export default config;
