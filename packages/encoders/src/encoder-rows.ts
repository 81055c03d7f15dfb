import { type Encoder, SetwiseError, shownName } from "@setwise/core";

/** Fails with `invalid-argument` unless `rows` are finite 32-bit floats, as many as `texts` texts have with this encoder. */
export function checkRows(rows: Float32Array, texts: number, { name, dimensions }: Encoder): void {
  const expected = texts * dimensions;
  const fault = faultOf(rows, expected);
  if (fault === undefined) return;
  const message = `The encoder "${shownName(name)}" must answer a Float32Array of ${expected} numbers for ${texts} texts of ${dimensions} dimensions, but it gave ${fault}. Nothing of it was kept; check the encoder.`;
  throw new SetwiseError("invalid-argument", message);
}

function faultOf(rows: unknown, expected: number): string | undefined {
  // Seen by its tag, since a Float32Array of another realm is one as well.
  const kind = Object.prototype.toString.call(rows).slice("[object ".length, -1);
  if (kind !== "Float32Array") return `a value of the kind ${kind}`;
  const numbers = rows as Float32Array;
  if (numbers.length !== expected) return `${numbers.length} numbers`;
  return numbers.every(Number.isFinite) ? undefined : "some that are no numbers";
}
