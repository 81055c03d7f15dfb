import { createJointEncoder, createOnnxEncoder, createCachedEncoder } from "@setwise/encoders";
import type { Encoder } from "@setwise/core";
import { minilmModelFolder } from "@setwise/model-minilm";
import { staticEncoder } from "./static-encoder.ts";

/** The three ways to compare meaning that Setwise has by name. */
export type LevelName = "none" | "static" | "minilm";

export interface EncoderLevel {
  readonly name: LevelName;
  readonly encoder: Encoder | undefined;
}

/**
 * The encoders of all levels.
 *
 * @param cache A folder that keeps what the transformer encoded from one run to the next, if given.
 */
export async function encoderLevels(cache: string | undefined): Promise<readonly EncoderLevel[]> {
  const transformer = await createOnnxEncoder(minilmModelFolder);
  const kept = createCachedEncoder(transformer, cache === undefined ? {} : { file: `${cache}/` });
  return [
    { name: "none", encoder: undefined },
    { name: "static", encoder: staticEncoder },
    { name: "minilm", encoder: createJointEncoder([kept, staticEncoder]) },
  ];
}
