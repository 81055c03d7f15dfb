import type { Encoder } from "@setwise/core";
import { openEncoder } from "setwise";

const names = ["none", "static", "minilm"] as const;

/** The three ways to compare meaning that Setwise has by name. */
export type LevelName = (typeof names)[number];

export interface EncoderLevel {
  readonly name: LevelName;
  readonly encoder: Encoder | undefined;
}

/**
 * The encoders of all levels, opened as `setwise` opens them.
 *
 * @param cache A folder that keeps what the transformer encoded from one run to the next. Without it every text is encoded each
 *   time, so that times are those of the encoder.
 */
export function encoderLevels(cache: string | undefined): Promise<readonly EncoderLevel[]> {
  const options = cache === undefined ? {} : { cache };
  return Promise.all(
    names.map(async (name): Promise<EncoderLevel> => ({ name, encoder: await openEncoder(name, options) })),
  );
}
