import { fileURLToPath } from "node:url";

/** The folder with the table, for `readStaticModel` of `@setwise/encoders`. */
export const staticModelFolder: string = fileURLToPath(new URL("../files", import.meta.url));
