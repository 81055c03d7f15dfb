import { type Encoder, SetwiseError } from "@setwise/core";
import { checkTexts } from "./encoder-arguments.ts";

/**
 * Several encoders as one: the cosine of two texts is the mean of the encoders' cosines. Encoders that err in different ways make a
 * better one together. A text that one of them does not know counts with the others alone.
 *
 * Fails with `invalid-argument` where no encoder is given, else as the encoders do.
 */
export function createJointEncoder(encoders: readonly Encoder[]): Encoder {
  if (encoders.length === 0)
    throw new SetwiseError("invalid-argument", "A joint encoder needs at least one encoder; give a list of them.");
  const dimensions = encoders.reduce((sum, encoder) => sum + encoder.dimensions, 0);
  const encode: Encoder["encode"] = async (texts, options) => {
    checkTexts(texts);
    const vectors = new Float32Array(texts.length * dimensions);
    let start = 0;
    for (const encoder of encoders) {
      const rows = await encoder.encode(texts, options);
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

function scaleToUnit(row: Float32Array): void {
  let squares = 0;
  for (const value of row) squares += value * value;
  const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let index = 0; index < row.length; index++) row[index]! *= inverse;
}
