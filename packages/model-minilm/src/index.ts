import { fileURLToPath } from "node:url";

/** The folder with model, tokenizer and configuration, for `createOnnxEncoder` of `@setwise/encoders`. */
export const minilmModelFolder: string = fileURLToPath(new URL("../files", import.meta.url));
