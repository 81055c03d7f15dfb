import { createHash, type Hash } from "node:crypto";
import { KernelError } from "./errors.ts";
import type { TrainerPlan, TrainerProblem, TrainerWeights } from "./hypergraph-trainer-kernel.ts";

/** "SWTRAIN", a zero, then as u32 the version, the number of float32 and of float64 numbers, and a zero. */
const magic = "SWTRAIN\0";
const version = 1;
const headerLength = 24;
const hashLength = 32;

/** The numbers of a checkpoint. */
export interface CheckpointNumbers {
  readonly reals: Float32Array;
  readonly doubles: Float64Array;
}

/** A name for what is learned from, how and from which weights on, so that a checkpoint goes on only where it began; threads and kernels may differ. */
export function fingerprintOf(
  { channels, gold, ...problem }: TrainerProblem,
  { threads: _threads, ...plan }: TrainerPlan,
  names: readonly string[],
  { projection, embeddings, interactions, small }: TrainerWeights,
): Uint8Array {
  const { queryDimensions, toolDimensions, anchors, vectors, queryWeights, training } = problem;
  const hash = createHash("sha256").update(JSON.stringify({ plan, names, queryDimensions, toolDimensions }));
  const rows = [gold, ...channels].flatMap(({ offsets, tools }) => [offsets, tools]);
  const values = channels.map((channel) => channel.values);
  const start = [projection, embeddings, interactions, small];
  for (const array of [anchors, vectors, queryWeights, training, ...rows, ...values, ...start]) addBytes(hash, array);
  return new Uint8Array(hash.digest());
}

function addBytes(hash: Hash, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
  hash.update(Uint8Array.of(0)).update(new Uint8Array(buffer, byteOffset, byteLength));
}

/** How many numbers a checkpoint has. */
export interface CheckpointLengths {
  readonly reals: number;
  readonly doubles: number;
}

/** Header, fingerprint, float64 numbers, float32 numbers, and the SHA-256 of all that. `fill` writes the numbers where they stay. */
export function writeCheckpoint(
  lengths: CheckpointLengths,
  fingerprint: Uint8Array,
  fill: (numbers: CheckpointNumbers) => void,
): Uint8Array {
  const bytes = new Uint8Array(lengthOf(lengths));
  const header = new DataView(bytes.buffer);
  for (let i = 0; i < magic.length; i += 1) header.setUint8(i, magic.codePointAt(i) ?? 0);
  header.setUint32(8, version, true);
  header.setUint32(12, lengths.reals, true);
  header.setUint32(16, lengths.doubles, true);
  bytes.set(fingerprint, headerLength);
  fill(numbersIn(bytes, lengths));
  const body = bytes.length - hashLength;
  bytes.set(createHash("sha256").update(bytes.subarray(0, body)).digest(), body);
  return bytes;
}

/**
 * The numbers of a checkpoint.
 *
 * @throws {KernelError} `corrupt-file` when it is none or damaged, `unsupported-version` when a later version wrote it, `invalid-argument`
 *   when it belongs to another trainer.
 */
export function readCheckpoint(
  bytes: Uint8Array,
  lengths: CheckpointLengths,
  fingerprint: Uint8Array,
): CheckpointNumbers {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerLength + 2 * hashLength) throw corrupt("is cut short");
  for (let i = 0; i < magic.length; i += 1) {
    if (view.getUint8(i) !== magic.codePointAt(i)) throw corrupt("is of another kind");
  }
  const written = view.getUint32(8, true);
  if (written !== version) {
    const text = `The checkpoint has version ${written}, and ${version} is the last one known here; update this package.`;
    throw new KernelError("unsupported-version", text);
  }
  const found = { reals: view.getUint32(12, true), doubles: view.getUint32(16, true) };
  if (bytes.length !== lengthOf(found)) throw corrupt("is cut short");
  const body = bytes.length - hashLength;
  const checksum = createHash("sha256").update(bytes.subarray(0, body)).digest();
  if (!checksum.equals(bytes.subarray(body))) throw corrupt("is damaged: its checksum is another");
  const same = fingerprint.every((byte, place) => byte === bytes[headerLength + place]);
  if (!same || found.reals !== lengths.reals || found.doubles !== lengths.doubles) {
    const text =
      "The checkpoint belongs to a trainer of other data or options; make the trainer as it was made, or begin from weights.";
    throw new KernelError("invalid-argument", text);
  }
  // Numbers of eight bytes begin at multiples of eight.
  return numbersIn(bytes.byteOffset % 8 === 0 ? bytes : bytes.slice(), lengths);
}

function numbersIn({ buffer, byteOffset }: Uint8Array, { reals, doubles }: CheckpointLengths): CheckpointNumbers {
  const start = byteOffset + headerLength + hashLength;
  return {
    doubles: new Float64Array(buffer, start, doubles),
    reals: new Float32Array(buffer, start + doubles * 8, reals),
  };
}

function lengthOf({ reals, doubles }: CheckpointLengths): number {
  return headerLength + hashLength + reals * 4 + doubles * 8 + hashLength;
}

function corrupt(how: string): KernelError {
  return new KernelError("corrupt-file", `The checkpoint ${how}; give the bytes that save() gave.`);
}
