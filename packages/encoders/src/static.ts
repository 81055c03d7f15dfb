export { createStaticEncoder, type StaticEncoderOptions } from "./static-encoder.ts";
export { readStaticModel, type StaticModel } from "./static-model.ts";
export type { OnTextCut, TextCut } from "./text-cut.ts";
export type { Vocabulary } from "./vocabulary.ts";
