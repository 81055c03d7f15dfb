import { fileURLToPath } from "node:url";

/** The folder with model, tokenizer and configuration, for `createOnnxEncoder` of `@setwise/encoders`. */
export const minilmModelFolder: string = fileURLToPath(new URL("../all-MiniLM-L6-v2", import.meta.url));
