import { createHash } from "node:crypto";
import { endianness } from "node:os";
import { KEY_BYTES } from "./cached-encoder-key.ts";

/*
 * The file, little-endian:
 *
 *   header   bytes 0..7    "SWEMBED\0"
 *            bytes 8..11   version
 *            bytes 12..15  dimensions
 *            bytes 16..19  length of the encoder's name in bytes
 *            bytes 20..27  checksum of bytes 8..19 and of the name
 *            bytes 28..    the encoder's name, UTF-8
 *   records, one behind the other, each
 *            bytes 0..3    marker, by which records are found again behind a damaged one
 *            bytes 4..19   key
 *            bytes 20..27  checksum of encoder, dimensions, key and vector
 *            bytes 28..    vector, f32
 *
 * A checksum is the beginning of SHA-256. In every version to come, the header's stays where it is.
 */
const MAGIC = Buffer.from("SWEMBED\0", "latin1");
const VERSION = 1;
const HEADER_BYTES = 28;
const MARKER = Buffer.from([0xe5, 0x53, 0x57, 0xb1]);
const CHECKSUM_BYTES = 8;
const KEY_AT = MARKER.length;
const CHECKSUM_AT = KEY_AT + KEY_BYTES;
const VECTOR_AT = CHECKSUM_AT + CHECKSUM_BYTES;
/** A header with more other bytes than this belongs to another encoder: their names differ in a hash, and so do checksums. */
const DAMAGED_BYTES = 8;

/** How one encoder's file is laid out. */
export interface EmbeddingFormat {
  readonly header: Buffer;
  readonly dimensions: number;
  readonly recordBytes: number;
  /** Goes into every checksum, so that no record of another encoder can pass. */
  readonly seed: Buffer;
}

export function embeddingFormat(encoderName: string, dimensions: number): EmbeddingFormat {
  const name = Buffer.from(encoderName);
  const header = Buffer.alloc(HEADER_BYTES + name.length);
  MAGIC.copy(header);
  header.writeUInt32LE(VERSION, 8);
  header.writeUInt32LE(dimensions, 12);
  header.writeUInt32LE(name.length, 16);
  name.copy(header, HEADER_BYTES);
  headerChecksum(header, name.length).copy(header, 20);
  const seed = createHash("sha256").update(header).digest();
  return { header, dimensions, recordBytes: VECTOR_AT + dimensions * 4, seed };
}

function headerChecksum(header: Buffer, nameBytes: number): Buffer {
  return createHash("sha256")
    .update(header.subarray(8, 20))
    .update(header.subarray(HEADER_BYTES, HEADER_BYTES + nameBytes))
    .digest()
    .subarray(0, CHECKSUM_BYTES);
}

export type HeaderState =
  | { readonly state: "intact" }
  /** Cut short or changed, but surely this encoder's. */
  | { readonly state: "damaged" }
  /** Perhaps not a file of embeddings at all. */
  | { readonly state: "unknown" }
  | { readonly state: "other-encoder"; readonly name: string; readonly dimensions: number }
  | { readonly state: "other-version"; readonly version: number };

/** What the first bytes of a file tell; `bytes` should hold {@link HEADER_READ_BYTES} of them, or the whole file. */
export function readHeader(bytes: Buffer, { header }: EmbeddingFormat): HeaderState {
  if (bytes.length < header.length && bytes.equals(header.subarray(0, bytes.length))) return { state: "damaged" };
  const differing = header.reduce((count, byte, position) => count + (byte === bytes[position] ? 0 : 1), 0);
  if (differing === 0) return { state: "intact" };
  const other = validHeader(bytes);
  if (other !== undefined) return other;
  return { state: differing <= DAMAGED_BYTES ? "damaged" : "unknown" };
}

/** Longer names than this are not shown. */
export const HEADER_READ_BYTES = 4096;

function validHeader(bytes: Buffer): HeaderState | undefined {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const nameBytes = bytes.readUInt32LE(16);
  if (nameBytes > bytes.length - HEADER_BYTES) return undefined;
  if (!headerChecksum(bytes, nameBytes).equals(bytes.subarray(20, HEADER_BYTES))) return undefined;
  const version = bytes.readUInt32LE(8);
  if (version !== VERSION) return { state: "other-version", version };
  const name = bytes.toString("utf8", HEADER_BYTES, HEADER_BYTES + nameBytes);
  return { state: "other-encoder", name, dimensions: bytes.readUInt32LE(12) };
}

/** Whole records, one behind the other. */
export function encodeRecords(entries: Iterable<readonly [string, Float32Array]>, format: EmbeddingFormat): Buffer {
  const records: Buffer[] = [];
  for (const [key, vector] of entries) {
    const record = Buffer.alloc(format.recordBytes);
    MARKER.copy(record);
    record.write(key, KEY_AT, "latin1");
    const numbers = record.subarray(VECTOR_AT);
    numbers.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    if (endianness() === "BE") numbers.swap32();
    recordChecksum(record, format).copy(record, CHECKSUM_AT);
    records.push(record);
  }
  return Buffer.concat(records);
}

function recordChecksum(record: Buffer, { seed }: EmbeddingFormat): Buffer {
  return createHash("sha256")
    .update(seed)
    .update(record.subarray(KEY_AT, CHECKSUM_AT))
    .update(record.subarray(VECTOR_AT))
    .digest()
    .subarray(0, CHECKSUM_BYTES);
}

/** Whether an intact record begins at `position`. */
export function isRecord(bytes: Buffer, position: number, format: EmbeddingFormat): boolean {
  const record = bytes.subarray(position, position + format.recordBytes);
  if (record.length < format.recordBytes || record.compare(MARKER, 0, KEY_AT, 0, KEY_AT) !== 0) return false;
  return recordChecksum(record, format).equals(record.subarray(CHECKSUM_AT, VECTOR_AT));
}

/** The key of the record at `position`. */
export function recordKey(bytes: Buffer, position: number): string {
  return bytes.toString("latin1", position + KEY_AT, position + CHECKSUM_AT);
}

/** A copy of the vector of the record at `position`. */
export function recordVector(bytes: Buffer, position: number, { dimensions }: EmbeddingFormat): Float32Array {
  const vector = new Float32Array(dimensions);
  const numbers = Buffer.from(vector.buffer);
  bytes.copy(numbers, 0, position + VECTOR_AT, position + VECTOR_AT + numbers.length);
  if (endianness() === "BE") numbers.swap32();
  return vector;
}

export interface FoundRecords {
  /** Where intact records begin, in order. */
  readonly positions: readonly number[];
  /** Everything before is settled; from here on more bytes must come before anything can be said. */
  readonly settled: number;
}

/** Finds every intact record, whatever lies between: torn ends, damaged records, something else. */
export function findRecords(bytes: Buffer, format: EmbeddingFormat): FoundRecords {
  const positions: number[] = [];
  let position = 0;
  for (;;) {
    const start = bytes.indexOf(MARKER, position);
    if (start === -1) return { positions, settled: Math.max(position, bytes.length - MARKER.length + 1) };
    if (start + format.recordBytes > bytes.length) return { positions, settled: start };
    if (isRecord(bytes, start, format)) {
      positions.push(start);
      position = start + format.recordBytes;
    } else position = start + 1;
  }
}
