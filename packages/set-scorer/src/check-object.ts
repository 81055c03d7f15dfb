import { SetwiseError } from "@setwise/core";

/**
 * Checks that an argument is an object at all, so that a wrong call is told as such.
 *
 * @throws SetwiseError `invalid-argument`.
 */
export function checkObject(name: string, expected: string, given: unknown): void {
  if (typeof given === "object" && given !== null) return;
  throw new SetwiseError("invalid-argument", `${name} must be ${expected}, but got ${String(given).slice(0, 80)}.`);
}
