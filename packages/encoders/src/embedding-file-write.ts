import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { encodeRecords, type EmbeddingFormat } from "./embedding-file-format.ts";
import { fileNumber } from "./embedding-file-index.ts";

/** A file that is replaced more often than this while one batch is written is not ours to fight over. */
const MAX_ROUNDS = 50;

/** Appends vectors under their keys; makes the file, and the folders above it, where there is none. */
export function appendVectors(
  path: string,
  entries: Iterable<readonly [string, Float32Array]>,
  format: EmbeddingFormat,
): Promise<void> {
  return appendRecords(path, encodeRecords(entries, format), format);
}

/**
 * Appends whole records. When this returns, they are in the file that stands at `path`, or in one that was moved away from
 * there after they were written, and whoever moved it takes them over (see embedding-file-compact.ts).
 */
export async function appendRecords(path: string, records: Buffer, format: EmbeddingFormat): Promise<void> {
  if (records.length === 0) return;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const handle = await openToAppend(path, format);
    if (handle === undefined) continue;
    try {
      await writeWhole(handle, records, format.recordBytes);
      if (await isStillAt(path, handle)) return;
    } finally {
      await handle.close();
    }
  }
  throw new Error("the file is replaced again and again");
}

/** `undefined` when the file was not there; then it has been made. */
async function openToAppend(path: string, format: EmbeddingFormat): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_APPEND);
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT") throw cause;
  }
  await makeFolder(dirname(path));
  const aside = await writeAside(path, async (handle) => {
    await handle.writeFile(format.header);
  });
  await putInPlace(aside, path).finally(() => rm(aside, { force: true }));
  return undefined;
}

/**
 * Writes records so that none is ever continued behind another process's: what a full disk cut short stays behind as a
 * torn record, and that record is written again as a whole.
 */
async function writeWhole(handle: FileHandle, records: Buffer, recordBytes: number): Promise<void> {
  let written = 0;
  while (written < records.length) {
    const { bytesWritten } = await handle.write(records, written, records.length - written);
    if (bytesWritten < recordBytes && bytesWritten < records.length - written)
      throw Object.assign(new Error("the disk takes no more"), { code: "ENOSPC" });
    written += Math.floor(bytesWritten / recordBytes) * recordBytes;
  }
}

async function isStillAt(path: string, handle: FileHandle): Promise<boolean> {
  const own = await handle.stat({ bigint: true });
  const there = await stat(path, { bigint: true }).catch(ignoreMissing);
  return there !== undefined && fileNumber(there) === fileNumber(own);
}

/** Writes a new file beside `path`, flushed to the disk, and gives its name; it is removed when that fails. */
export async function writeAside(path: string, write: (handle: FileHandle) => Promise<void>): Promise<string> {
  const aside = besideName(path, "part");
  try {
    const handle = await open(aside, "wx");
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return aside;
  } catch (cause) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw cause;
  }
}

export function besideName(path: string, ending: "part" | "old"): string {
  return `${path}.${randomBytes(6).toString("hex")}.${ending}`;
}

/**
 * Gives the file `aside` the name `path` unless a file is there already, in one step, so that nobody sees half a file;
 * returns whether it did. It may keep its old name too.
 */
export async function putInPlace(aside: string, path: string): Promise<boolean> {
  try {
    await link(aside, path);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    // A file system without links: a file made in this very moment by another process is replaced.
    await rename(aside, path);
    return true;
  }
  return true;
}

/** Not `recursive`: with that, Node tries for ever where a folder exists in which none can be made (`/proc`). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (cause) {
    const found = await stat(path).catch(ignoreMissing);
    if (found?.isDirectory()) return;
    const parent = dirname(path);
    if (errorCode(cause) !== "ENOENT" || (await stat(parent).catch(ignoreMissing)) !== undefined) throw cause;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

/** For a `catch` where a missing file is an ordinary outcome. */
export function ignoreMissing(cause: unknown): undefined {
  if (errorCode(cause) === "ENOENT") return undefined;
  throw cause;
}

export function errorCode(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | undefined)?.code;
}
