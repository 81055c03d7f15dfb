import { isDimensions, MOST_DIMENSIONS } from "./dimensions.ts";
import { SetwiseError } from "./errors.ts";
import { isFloat32Array } from "./float32-array.ts";
import type { Encoder } from "./ports.ts";
import { shownName } from "./shown-name.ts";

/** How far from 1 the length of a row may be: encoders that keep 16 bits for a number miss it by half of this. */
const LENGTH_TOLERANCE = 1e-3;

/**
 * Fails with `invalid-argument` unless `rows` is what an {@link Encoder} must answer to `texts` texts: 32-bit floats, as many as
 * that, each row of length 1 or all zeros. For whoever keeps or compares vectors of an encoder that is not its own.
 */
export function checkEncoderRows(
  rows: unknown,
  texts: number,
  { name, dimensions }: Pick<Encoder, "name" | "dimensions">,
): asserts rows is Float32Array {
  const expected = texts * dimensions;
  if (!isFloat32Array(rows) || rows.length !== expected) {
    const kind = Object.prototype.toString.call(rows).slice("[object ".length, -1);
    const got = isFloat32Array(rows) ? `${rows.length} numbers` : `a value of the kind ${kind}, no Float32Array`;
    throw new SetwiseError(
      "invalid-argument",
      `The encoder ${shownName(name)} must give ${texts} rows of ${dimensions} numbers, ${expected} in all, but gave ${got}.`,
    );
  }
  const wrong = wrongRow(rows, dimensions);
  if (wrong === undefined) return;
  const { row, length } = wrong;
  const unfit = rows.subarray(row * dimensions, (row + 1) * dimensions).find((value) => !Number.isFinite(value));
  const got = unfit === undefined ? `a row of length ${Number(length.toPrecision(4))}` : String(unfit);
  throw new SetwiseError(
    "invalid-argument",
    `The encoder ${shownName(name)} gave ${got} for text ${row}; each row must be of length 1, or all zeros. Divide it by its length.`,
  );
}

/**
 * The first row whose length is neither 1 nor 0, with that length, which is not finite where a number of the row is not;
 * `undefined` where all rows are as an encoder must give them.
 *
 * @throws SetwiseError `invalid-argument` for dimensions that no vector has.
 */
export function wrongRow(
  rows: Float32Array,
  dimensions: number,
): { readonly row: number; readonly length: number } | undefined {
  if (!isDimensions(dimensions)) {
    throw new SetwiseError(
      "invalid-argument",
      `dimensions must be a whole number from 1 to ${MOST_DIMENSIONS}, but is ${String(dimensions)}.`,
    );
  }
  for (let start = 0; start < rows.length; start += dimensions) {
    let sum = 0;
    for (let place = start; place < start + dimensions; place++) sum += rows[place]! * rows[place]!;
    if (sum === 0) continue;
    const length = Math.sqrt(sum);
    if (!(Math.abs(length - 1) <= LENGTH_TOLERANCE)) return { row: start / dimensions, length };
  }
  return undefined;
}
