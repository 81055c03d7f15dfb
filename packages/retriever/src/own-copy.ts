/** Whether these are 32-bit floats; seen by the tag, since those of another realm are as well. */
export function isFloat32Array(given: unknown): given is Float32Array {
  return Object.prototype.toString.call(given) === "[object Float32Array]";
}

/** A copy of numbers, made as soon as they are there: who gave them may use the memory again. Anything else is left for a check. */
export function ownCopy(given: unknown): unknown {
  return isFloat32Array(given) ? new Float32Array(given) : given;
}
