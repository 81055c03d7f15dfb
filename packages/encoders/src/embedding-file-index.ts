import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { SetwiseError, shownName } from "@setwise/core";
import {
  type EmbeddingFormat,
  findRecords,
  HEADER_READ_BYTES,
  isRecord,
  readHeader,
  recordKey,
  recordVector,
} from "./embedding-file-format.ts";

/** Read at once while looking for records. */
const SCAN_BYTES = 4 * 1024 * 1024;
/** Wanted records within so many bytes are read at once, with what lies between. */
const RUN_BYTES = 1024 * 1024;

/** What is known of one file: where each key's newest record begins. It grows with the file. */
export interface EmbeddingIndex {
  /** Which file it is; a path may come to hold another one. */
  readonly identity: string;
  readonly offsets: Map<string, number>;
  readonly hasDamagedHeader: boolean;
  /** Every record that begins before is known. */
  settled: number;
}

/** Hears of every record found that was not known before. */
export type RecordListener = (key: string, vector: () => Float32Array) => void;

/**
 * Brings what is known up to the end of the file; begins anew when it is another file than before.
 *
 * @throws SetwiseError `invalid-argument` for another encoder's file, `unsupported-version`, or `corrupt-file` for one that
 * holds nothing of this encoder's.
 */
export async function updateIndex(
  path: string,
  handle: FileHandle,
  format: EmbeddingFormat,
  known?: EmbeddingIndex,
  listener?: RecordListener,
): Promise<EmbeddingIndex> {
  const stats = await handle.stat({ bigint: true });
  const size = Number(stats.size);
  const identity = `${fileNumber(stats)}:${stats.birthtimeNs}`;
  const isKnown = known !== undefined && known.identity === identity && known.settled <= size;
  const header = isKnown ? undefined : await headerOf(path, handle, format);
  const index: EmbeddingIndex = isKnown
    ? known
    : {
        identity,
        offsets: new Map(),
        hasDamagedHeader: header !== "intact",
        settled: header === "intact" ? format.header.length : 0,
      };
  for await (const { bytes, offset, positions, settled } of scanRecords(handle, index.settled, size, format)) {
    for (const position of positions) {
      const key = recordKey(bytes, position);
      index.offsets.set(key, offset + position);
      listener?.(key, () => recordVector(bytes, position, format));
    }
    index.settled = offset + settled;
  }
  if (header === "unknown" && index.offsets.size === 0) {
    const message = `${path} holds no embeddings that can be read, and is left as it is. Delete it, or name another file.`;
    throw new SetwiseError("corrupt-file", message, { source: path });
  }
  return index;
}

/** Device and number: the same as long as the file is open somewhere. */
export function fileNumber(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}

async function headerOf(
  path: string,
  handle: FileHandle,
  format: EmbeddingFormat,
): Promise<"intact" | "damaged" | "unknown"> {
  const bytes = Buffer.alloc(Math.max(HEADER_READ_BYTES, format.header.length));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  const found = readHeader(bytes.subarray(0, bytesRead), format);
  if (found.state === "other-encoder") {
    const message = `${path} keeps the embeddings of "${shownName(found.name)}" (${found.dimensions} dimensions), not of the encoder given. Name another file, or a folder, where each encoder gets its own.`;
    throw new SetwiseError("invalid-argument", message, { source: path });
  }
  if (found.state === "other-version") {
    const message = `${path} has version ${found.version}, which this release cannot read. Delete it, or name another file.`;
    throw new SetwiseError("unsupported-version", message, { source: path });
  }
  return found.state;
}

export interface ScannedBytes {
  /** Valid until the next one is asked for. */
  readonly bytes: Buffer;
  /** Where `bytes` begin in the file. */
  readonly offset: number;
  /** Where in `bytes` intact records begin. */
  readonly positions: readonly number[];
  /** So many of `bytes` are dealt with. */
  readonly settled: number;
}

/** All intact records between two offsets of a file. */
export async function* scanRecords(
  handle: FileHandle,
  from: number,
  to: number,
  format: EmbeddingFormat,
): AsyncGenerator<ScannedBytes> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(to - from, Math.max(SCAN_BYTES, 4 * format.recordBytes))));
  let offset = from;
  while (offset < to) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, to - offset), offset);
    const bytes = buffer.subarray(0, bytesRead);
    const { positions, settled } = findRecords(bytes, format);
    if (settled === 0) return;
    yield { bytes, offset, positions, settled };
    offset += settled;
  }
}

/** Records that lie near each other, as one read gives them. */
export interface RecordRun {
  readonly bytes: Buffer;
  /** Key and position in `bytes` of each intact one. */
  readonly records: readonly (readonly [key: string, position: number])[];
}

/** Reads the records of `keys`, in the order of the file. One that is no longer intact is forgotten. */
export async function* readRecords(
  handle: FileHandle,
  index: EmbeddingIndex,
  keys: Iterable<string>,
  format: EmbeddingFormat,
): AsyncGenerator<RecordRun> {
  for (const run of runsOf(index, keys, format.recordBytes)) {
    const start = run[0]?.[1] ?? 0;
    const end = (run.at(-1)?.[1] ?? 0) + format.recordBytes;
    const bytes = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const read = bytes.subarray(0, bytesRead);
    const records: [string, number][] = [];
    for (const [key, offset] of run) {
      const position = offset - start;
      if (isRecord(read, position, format) && recordKey(read, position) === key) records.push([key, position]);
      else index.offsets.delete(key);
    }
    yield { bytes: read, records };
  }
}

function runsOf(index: EmbeddingIndex, keys: Iterable<string>, recordBytes: number): [string, number][][] {
  const wanted: [string, number][] = [];
  for (const key of keys) {
    const offset = index.offsets.get(key);
    if (offset !== undefined) wanted.push([key, offset]);
  }
  wanted.sort((one, other) => one[1] - other[1]);
  const runs: [string, number][][] = [];
  for (const entry of wanted) {
    const run = runs.at(-1);
    const start = run?.[0]?.[1];
    if (run !== undefined && start !== undefined && entry[1] + recordBytes - start <= RUN_BYTES) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}
