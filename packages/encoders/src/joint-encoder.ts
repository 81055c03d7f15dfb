import { checkEncoderRows, type Encoder, SetwiseError } from "@setwise/core";
import { checkTexts } from "./encoder-arguments.ts";
import { scaleToUnit } from "./pooling.ts";

/**
 * Several encoders as one: the cosine of two texts is the mean of the encoders' cosines. Encoders that err in different ways make a
 * better one together. A text that one of them does not know counts with the others alone.
 *
 * Fails with `invalid-argument` where what is given is no list of at least one encoder, or where one answers anything but unit
 * rows of its dimensions; else as the encoders do.
 */
export function createJointEncoder(encoders: readonly Encoder[]): Encoder {
  checkEncoders(encoders);
  const dimensions = encoders.reduce((sum, encoder) => sum + encoder.dimensions, 0);
  const encode: Encoder["encode"] = async (texts, options) => {
    checkTexts(texts);
    const vectors = new Float32Array(texts.length * dimensions);
    let start = 0;
    for (const encoder of encoders) {
      const rows: unknown = await encoder.encode(texts, options);
      checkEncoderRows(rows, texts.length, encoder);
      for (let text = 0; text < texts.length; text++) {
        const row = rows.subarray(text * encoder.dimensions, (text + 1) * encoder.dimensions);
        vectors.set(row, text * dimensions + start);
      }
      start += encoder.dimensions;
    }
    for (let text = 0; text < texts.length; text++)
      scaleToUnit(vectors.subarray(text * dimensions, (text + 1) * dimensions));
    return vectors;
  };
  return { name: `joint:${encoders.map((encoder) => encoder.name).join("+")}`, dimensions, encode };
}

function checkEncoders(encoders: readonly Encoder[]): void {
  if (!Array.isArray(encoders) || encoders.length === 0)
    throw new SetwiseError("invalid-argument", "A joint encoder needs at least one encoder; give a list of them.");
  const position = encoders.findIndex((encoder: Partial<Encoder> | null | undefined) => !isEncoder(encoder));
  if (position === -1) return;
  throw new SetwiseError(
    "invalid-argument",
    `At position ${position} stands no encoder; expected a name, dimensions of at least 1 and an encode function.`,
    { position },
  );
}

function isEncoder(given: Partial<Encoder> | null | undefined): boolean {
  if (typeof given?.encode !== "function" || typeof given.name !== "string") return false;
  return Number.isSafeInteger(given.dimensions) && Number(given.dimensions) >= 1;
}
