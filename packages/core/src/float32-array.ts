/**
 * Whether these are 32-bit floats, also of another realm: the tag alone could be anybody's. Memory that was handed on (detached) is still
 * one, of length 0.
 */
export function isFloat32Array(given: unknown): given is Float32Array {
  return ArrayBuffer.isView(given) && Object.prototype.toString.call(given) === "[object Float32Array]";
}
