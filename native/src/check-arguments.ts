import { KernelError } from "./errors.ts";

/** The longest vectors taken: embeddings have some thousands of numbers, and the error bound of the scan grows with them. */
const mostDimensions = 65_536;

export function checkDimensions(dimensions: number): void {
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= mostDimensions) return;
  throw new KernelError(
    "invalid-argument",
    `dimensions: expected an integer from 1 to ${mostDimensions}, got ${told(dimensions)}.`,
  );
}

export function checkK(k: number): void {
  checkCount("k", k, { least: 0, most: Number.MAX_SAFE_INTEGER });
}

/** Checks a whole number; a bound of `Number.MAX_SAFE_INTEGER` is none. */
export function checkCount(
  name: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  throw outOfRange(name, `an integer ${range}`, value);
}

export function checkLength(name: string, values: ArrayLike<number>, expected: number, meaning: string): void {
  if (values.length === expected) return;
  throw outOfRange(name, `a length of ${expected} (${meaning})`, values.length);
}

export function outOfRange(name: string, expected: string, value: unknown): KernelError {
  return new KernelError("invalid-argument", `${name}: expected ${expected}, got ${told(value)}.`);
}

/** Any value in a few words; `String` refuses some objects. */
function told(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "object" && value !== null ? typeName(value) : String(value);
}

/** Checks that `vectors` is whole vectors, and gives it in memory that no other thread can change meanwhile. */
export function checkVectors(name: string, vectors: Float32Array, dimensions: number): Float32Array {
  if (!isTyped(vectors, "Float32Array")) throw wrongType(name, "a Float32Array", vectors);
  if (vectors.length % dimensions !== 0) {
    throw new KernelError(
      "invalid-argument",
      `${name}: expected a length that is a multiple of the ${dimensions} dimensions, got ${vectors.length}.`,
    );
  }
  return isShared(vectors) ? vectors.slice() : vectors;
}

/** Names the first number that is NaN or infinite. */
export function checkFinite(name: string, values: Float32Array): void {
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position]!;
    // NaN and the infinities give NaN here, every finite number gives 0.
    if (value - value !== 0) throw notFinite(name, position);
  }
}

export function notFinite(name: string, position: number): KernelError {
  const text = `${name}: the number at position ${position} is NaN or infinite; every number must be finite.`;
  return new KernelError("invalid-argument", text);
}

export function checkOrdinals(name: string, ordinals: Uint32Array | undefined): Uint32Array | undefined {
  if (ordinals === undefined) return undefined;
  if (!isTyped(ordinals, "Uint32Array")) throw wrongType(name, "a Uint32Array", ordinals);
  return isShared(ordinals) ? ordinals.slice() : ordinals;
}

/** More threads than this only wait for each other. */
const mostThreads = 64;

export function checkThreads(threads: number): void {
  if (Number.isInteger(threads) && threads >= 1 && threads <= mostThreads) return;
  throw new KernelError(
    "invalid-argument",
    `threads: expected an integer from 1 to ${mostThreads}, got ${told(threads)}.`,
  );
}

export function checkOneOf<Value extends string>(name: string, value: Value, values: readonly Value[]): void {
  if (values.includes(value)) return;
  throw new KernelError("invalid-argument", `${name}: expected ${values.join(" or ")}, got "${told(value)}".`);
}

interface TypedArrays {
  readonly Float32Array: Float32Array;
  readonly Float64Array: Float64Array;
  readonly Uint32Array: Uint32Array;
}

/** Checks the type of an array, and gives it in memory that no other thread can change meanwhile. */
export function checkTyped<Name extends keyof TypedArrays>(
  name: string,
  value: TypedArrays[Name],
  type: Name,
): TypedArrays[Name] {
  if (!isTyped(value, type)) throw wrongType(name, `a ${type}`, value);
  return isShared(value) ? (value.slice() as TypedArrays[Name]) : value;
}

/** Checks positions in a list of `count`. */
export function checkPositions(name: string, positions: Uint32Array, count: number): Uint32Array {
  const checked = checkTyped(name, positions, "Uint32Array");
  for (const position of checked) {
    if (position < count) continue;
    throw new KernelError(
      "invalid-argument",
      `${name}: expected positions below ${count}, the number of candidates, got ${position}.`,
    );
  }
  return checked;
}

/** Not `instanceof`: arrays of another realm are as good. */
function isTyped(value: unknown, name: string): boolean {
  return ArrayBuffer.isView(value) && (value as unknown as Record<symbol, unknown>)[Symbol.toStringTag] === name;
}

function isShared(array: ArrayBufferView): boolean {
  return Object.prototype.toString.call(array.buffer) === "[object SharedArrayBuffer]";
}

export function wrongType(name: string, expected: string, value: unknown): KernelError {
  return new KernelError("invalid-argument", `${name}: expected ${expected}, got ${typeName(value)}.`);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  const name: unknown = (value as object | undefined)?.constructor?.name;
  return typeof name === "string" ? name : typeof value;
}
