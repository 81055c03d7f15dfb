export { createStaticEncoder, type StaticEncoderOptions } from "./static-encoder.ts";
export { readStaticModel, type StaticModel, writeStaticModel } from "./static-model.ts";
export type { OnTextCut, TextCut } from "./text-cut.ts";
export type { Vocabulary } from "./vocabulary.ts";
export { type CachedEncoderOptions, createCachedEncoder } from "./cached-encoder.ts";
export type { HttpEncoderKind } from "./http-encoder-address.ts";
export { createHttpEncoder, type HttpEncoderOptions, type HttpTextCut } from "./http-encoder.ts";
