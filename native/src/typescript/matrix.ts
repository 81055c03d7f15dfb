import { notFinite } from "../check-arguments.ts";
import { KernelError } from "../errors.ts";
import type { Similarity } from "../vector-index-kernel.ts";
import { exactDot, groupSize } from "./exact-dot.ts";

/** Length up to which no score can overflow: 2^62 · 2^62 is far below the largest float32. */
const longest = 2 ** 62;

/** Numbers from the start of one row to the start of the next. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / groupSize) * groupSize;
}

/**
 * Copies rows into `target` from number `start` on, padded with zeros and divided by their length where the similarity asks for
 * it; refuses NaN, infinities and rows so long that a score could overflow. Gives the greatest length.
 */
export function fillRows(
  name: string,
  target: Float32Array,
  start: number,
  values: Float32Array,
  dimensions: number,
  similarity: Similarity,
): number {
  const stride = strideOf(dimensions);
  for (let from = 0, to = start; from < values.length; from += dimensions, to += stride) {
    for (let i = 0; i < dimensions; i += 1) {
      const value = values[from + i]!;
      // NaN and the infinities give NaN here, every finite number gives 0.
      if (value - value !== 0) throw notFinite(name, from + i);
      target[to + i] = value;
    }
    target.fill(0, to + dimensions, to + stride);
  }
  const rows = values.length / dimensions;
  let greatest = 0;
  for (let row = 0; row < rows; row += 1) {
    const at = start + row * stride;
    if (similarity === "cosine") normalise(target, at, stride);
    const length = lengthOf(target, at, stride);
    if (length > longest) throw tooLong(name, row);
    greatest = Math.max(greatest, length);
  }
  return greatest;
}

/** The quotient is taken in float64 and rounded once, so that it is the same everywhere. */
function normalise(target: Float32Array, start: number, stride: number): void {
  const length = lengthOf(target, start, stride);
  if (length === 0) return;
  for (let i = start; i < start + stride; i += 1) target[i] = target[i]! / length;
}

function lengthOf(matrix: Float32Array, start: number, stride: number): number {
  return Math.sqrt(exactDot(matrix, start, matrix, start, stride));
}

/** An array of zeros, or an error that says how much memory was asked for. */
export function allocate(length: number): Float32Array<ArrayBuffer> {
  try {
    return new Float32Array(length);
  } catch (cause) {
    throw new KernelError("too-large", `${length * 4} bytes of memory could not be had.`, { cause });
  }
}

function tooLong(name: string, row: number): KernelError {
  const text = `${name}: vector ${row} is longer than 2^62, so that a score could overflow; scale the vectors down.`;
  return new KernelError("invalid-argument", text);
}
