import { isFloat32Array } from "@setwise/core";

/**
 * A copy of numbers, made as soon as they are there, so that what was checked is what is used. Anything else is left for a check, and so is
 * memory that was handed on, which cannot be read.
 */
export function ownCopy(given: unknown): unknown {
  return isFloat32Array(given) && given.length > 0 ? new Float32Array(given) : given;
}
