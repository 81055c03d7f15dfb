/**
 * Files of named tensors in the safetensors format, which others can read: eight bytes of header length (little-endian), a header
 * of JSON that names type, shape and place of every tensor, then the tensors one behind the other. Ours are written with
 * `format`, `version` and `sha256` (of the whole file, with 64 zeros where this checksum stands) in `__metadata__`, and with the first
 * tensor at a multiple of 64 bytes.
 * Source: github.com/huggingface/safetensors, README, "Format".
 *
 * Files are taken to be hostile: everything that a header says is bounded and checked before anything is allocated by it.
 */

import type { Stats } from "node:fs";
import { fileError } from "./file-error.ts";
import { parseSafetensorsHeader, type SafetensorsHeader, type TensorPlace } from "./safetensors-header.ts";

/** Bytes read or hashed at once. */
const blockBytes: number = 4 << 20;
const zero: number = "0".charCodeAt(0);

/** A file that was opened and whose header is sound. Close it. */
export interface SafetensorsFile {
  readonly metadata: ReadonlyMap<string, string>;
  readonly tensors: ReadonlyMap<string, TensorPlace>;
  /**
   * Reads the whole file once, copies the bytes of the named tensors into the arrays beside them, and compares the checksum.
   *
   * @throws {KernelError} `corrupt-file` when the checksum is another, an array has not the tensor's length or type, or the file
   *   was cut short meanwhile.
   */
  read(targets: ReadonlyMap<string, ArrayBufferView>): Promise<void>;
  close(): Promise<void>;
}

/** Which files {@link openSafetensors} takes. */
export interface SafetensorsKind {
  /** Names what the file holds, for instance `setwise-vector-index`. */
  readonly format: string;
  /** The version that is written; files of a later one are refused. */
  readonly version: number;
}

/**
 * Opens a file and checks its header.
 *
 * @throws {KernelError} `unreadable-source` when it cannot be read, `corrupt-file` when it is no safetensors file, of another format,
 *   or its header does not fit its size, `unsupported-version` when a later version wrote it.
 */
export async function openSafetensors(path: string, kind: SafetensorsKind): Promise<SafetensorsFile> {
  const { constants, open, stat } = await import("node:fs/promises");
  const failed = (cause: unknown): never => {
    throw fileError("unreadable-source", path, "cannot be opened", cause);
  };
  checkRegular(path, await stat(path).catch(failed));
  // Not blocking, where a pipe has taken the file's place meanwhile: to open one would wait for a writer.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(failed);
  const readAt = async (start: number, target: Uint8Array): Promise<void> => {
    for (let done = 0; done < target.length;) {
      const rest = target.subarray(done);
      const { bytesRead } = await handle.read(rest, 0, rest.length, start + done).catch((cause: unknown) => {
        throw fileError("unreadable-source", path, "cannot be read", cause);
      });
      if (bytesRead === 0) throw fileError("corrupt-file", path, "is cut short");
      done += bytesRead;
    }
  };
  try {
    const found = await handle.stat();
    checkRegular(path, found);
    const { size } = found;
    const header = await parseSafetensorsHeader(path, size, readAt);
    const { metadata, tensors } = header;
    checkKind(path, metadata, kind);
    return {
      metadata,
      tensors,
      read: (targets) => readTensors(path, header, readAt, targets),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Refuses what is no file of bytes: reading it may never end. */
function checkRegular(path: string, found: Stats): void {
  if (found.isFile()) return;
  let kind = "something else";
  if (found.isDirectory()) kind = "a directory";
  else if (found.isFIFO()) kind = "a pipe";
  else if (found.isSocket()) kind = "a socket";
  else if (found.isCharacterDevice() || found.isBlockDevice()) kind = "a device";
  throw fileError("unreadable-source", path, `is ${kind}, not a regular file`);
}

function checkKind(path: string, metadata: ReadonlyMap<string, string>, { format, version }: SafetensorsKind): void {
  const found = metadata.get("format");
  if (found !== format) {
    throw fileError("corrupt-file", path, `is no ${format} file (its format is ${JSON.stringify(found ?? null)})`);
  }
  const text = metadata.get("version") ?? "";
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw fileError("corrupt-file", path, "names no version");
  if (Number(text) > version) {
    const reason = `was written by version ${text} of its format, and this package reads up to ${version}; update it`;
    throw fileError("unsupported-version", path, reason);
  }
}

async function readTensors(
  path: string,
  { metadata, tensors, bytes }: SafetensorsHeader,
  readAt: (start: number, target: Uint8Array) => Promise<void>,
  targets: ReadonlyMap<string, ArrayBufferView>,
): Promise<void> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  const checksum = metadata.get("sha256") ?? "";
  hash.update(withoutChecksum(bytes, checksum));
  const largest = Math.max(0, ...[...tensors.values()].map((place) => place.bytes));
  const block = new Uint8Array(Math.min(blockBytes, largest));
  const places = [...tensors].toSorted(([, left], [, right]) => left.start - right.start);
  for (const [name, place] of places) {
    const target = targets.get(name);
    if (target !== undefined && target.byteLength !== place.bytes) {
      throw fileError("corrupt-file", path, `holds ${place.bytes} bytes of "${name}", not ${target.byteLength}`);
    }
    for (let done = 0; done < place.bytes;) {
      const length = Math.min(blockBytes, place.bytes - done);
      const part =
        target === undefined
          ? block.subarray(0, length)
          : new Uint8Array(target.buffer, target.byteOffset + done, length);
      await readAt(place.start + done, part);
      hash.update(part);
      done += length;
    }
  }
  if (hash.digest("hex") === checksum) return;
  throw fileError("corrupt-file", path, "is damaged: its checksum is not the one that was written");
}

/** The bytes before the tensors, with zeros for the checksum. */
function withoutChecksum(bytes: Uint8Array, checksum: string): Uint8Array {
  const at = checksum === "" ? -1 : new TextDecoder("latin1").decode(bytes).indexOf(checksum);
  return at < 0 ? bytes : bytes.slice().fill(zero, at, at + checksum.length);
}
