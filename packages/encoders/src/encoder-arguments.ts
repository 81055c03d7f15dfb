import { SetwiseError } from "@setwise/core";

/** Fails with `invalid-argument` unless `texts` is a list of strings. */
export function checkTexts(texts: readonly string[]): void {
  if (!Array.isArray(texts))
    throw new SetwiseError("invalid-argument", `texts must be a list of strings; got ${describe(texts)}.`);
  const position = texts.findIndex((text) => typeof text !== "string");
  if (position !== -1)
    throw new SetwiseError(
      "invalid-argument",
      `texts must be a list of strings; at position ${position} stands ${describe(texts[position])}.`,
      { position },
    );
}

/** Fails with `invalid-argument` unless `value` is a whole number from `least` to `most`. */
export function checkCount(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new SetwiseError(
      "invalid-argument",
      `${name} must be a whole number from ${least} to ${most}; got ${String(value)}.`,
    );
}

function describe(value: unknown): string {
  return value === null ? "null" : typeof value;
}
