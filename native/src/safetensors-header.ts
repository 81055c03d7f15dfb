import { fileError } from "./file-error.ts";

/** Bytes of a number of each type. */
const typeBytes = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  U16: 2,
  I16: 2,
  F16: 2,
  BF16: 2,
  U32: 4,
  I32: 4,
  F32: 4,
  U64: 8,
  I64: 8,
  F64: 8,
} as const;

/** The types of numbers that a tensor can have. */
export type TensorType = keyof typeof typeBytes;

/** Where a tensor stands in its file. */
export interface TensorPlace {
  readonly type: TensorType;
  readonly shape: readonly number[];
  /** The first byte, from the beginning of the file. */
  readonly start: number;
  readonly bytes: number;
}

export interface SafetensorsHeader {
  readonly metadata: ReadonlyMap<string, string>;
  readonly tensors: ReadonlyMap<string, TensorPlace>;
  /** Everything before the tensors. */
  readonly bytes: Uint8Array;
}

/** Bytes of the length at the beginning. */
export const lengthBytes = 8;
/** A header of thousands of tensors has less; what is larger is no header. */
const mostHeaderBytes: number = 16 << 20;
const mostTensors = 65_536;
/** Dimensions of a tensor. */
const mostAxes = 8;

/** Bytes that a tensor has; not a safe integer when its shape is absurd. */
export function tensorBytes(type: TensorType, shape: readonly number[]): number {
  // From the left, so that a 0 anywhere gives 0 and nothing is Infinity · 0.
  return shape.includes(0) ? 0 : shape.reduce((product, axis) => product * axis, typeBytes[type]);
}

/** Reads and checks a header: every tensor lies within the file, they follow each other without a gap and fill it. */
export async function parseSafetensorsHeader(
  path: string,
  size: number,
  readAt: (start: number, target: Uint8Array) => Promise<void>,
): Promise<SafetensorsHeader> {
  const corrupt = (reason: string, cause?: unknown) => fileError("corrupt-file", path, reason, cause);
  if (size < lengthBytes) throw corrupt("is no safetensors file: it is shorter than a header");
  const prefix = new Uint8Array(lengthBytes);
  await readAt(0, prefix);
  const length = new DataView(prefix.buffer).getBigUint64(0, true);
  if (length < 2n || length > BigInt(Math.min(mostHeaderBytes, size - lengthBytes))) {
    throw corrupt(`is no safetensors file or cut short: its header would have ${length} bytes`);
  }
  const start = lengthBytes + Number(length);
  const bytes = new Uint8Array(start);
  await readAt(0, bytes);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(lengthBytes)));
  } catch (cause) {
    throw corrupt("has a header that is no JSON", cause);
  }
  if (!isRecord(header)) throw corrupt("has a header that is no object");
  const entries = Object.entries(header);
  if (entries.length > mostTensors) throw corrupt(`has a header of ${entries.length} tensors`);
  const metadata = new Map<string, string>();
  const tensors = new Map<string, TensorPlace>();
  for (const [name, entry] of entries) {
    if (!isRecord(entry)) throw corrupt(`has a header in which ${JSON.stringify(name)} is no object`);
    if (name === "__metadata__") {
      for (const [key, value] of Object.entries(entry)) {
        if (typeof value !== "string") throw corrupt(`has metadata that are no text: ${JSON.stringify(key)}`);
        metadata.set(key, value);
      }
      continue;
    }
    const place = readPlace(entry, start);
    if (place === undefined) throw corrupt(`has a header in which the tensor ${JSON.stringify(name)} is not sound`);
    tensors.set(name, place);
  }
  let end = start;
  for (const place of [...tensors.values()].toSorted(
    (left, right) => left.start - right.start || left.bytes - right.bytes,
  )) {
    if (place.start !== end) throw corrupt("has tensors that overlap or leave a gap");
    end = place.start + place.bytes;
  }
  if (end !== size) throw corrupt(`is cut short or too long: it has ${size} bytes, and its header says ${end}`);
  return { metadata, tensors, bytes };
}

function readPlace(entry: Record<string, unknown>, start: number): TensorPlace | undefined {
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== "string" || !Object.hasOwn(typeBytes, dtype)) return undefined;
  if (!areSizes(shape) || shape.length > mostAxes || !areSizes(offsets) || offsets.length !== 2) return undefined;
  const type = dtype as TensorType;
  const bytes = tensorBytes(type, shape);
  const [from, to] = offsets as [number, number];
  if (!Number.isSafeInteger(bytes) || to - from !== bytes) return undefined;
  return { type, shape, start: start + from, bytes };
}

function areSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
