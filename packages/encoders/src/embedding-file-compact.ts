import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type EmbeddingFormat, HEADER_READ_BYTES, readHeader } from "./embedding-file-format.ts";
import { type EmbeddingIndex, fileNumber, readRecords, scanRecords, updateIndex } from "./embedding-file-index.ts";
import { appendRecords, besideName, ignoreMissing, putInPlace, writeAside } from "./embedding-file-write.ts";
import { recordKey } from "./embedding-file-format.ts";

/*
 * How a file is replaced while other processes append to it, without a lock:
 *
 *   1. what is to stay is written to a new file aside;
 *   2. the file at the path is renamed to "….old" (nobody ever moves one back);
 *   3. the new file is linked to the path, or, if another process has made one in between, copied into it;
 *   4. what was appended to the old file after it was read for step 1 is appended to the file at the path;
 *   5. the old file is removed.
 *
 * A writer looks, after writing, whether the file it wrote to is still at the path, and writes again if not. So a record
 * was either written before step 2, and is found in step 4, or its writer sees that it must write it again. A process
 * killed between steps 2 and 5 leaves its old file behind, and whoever opens the cache next takes all of it over. Two who
 * do that at once, or take over an old file whose owner lives, only write some records twice.
 */

/** After a compaction for size, so much of the bound is in use, so that it is not needed again at once. */
const KEPT_SHARE = 0.75;
/** A file written aside and not touched for so long belongs to a process that was killed. */
const ABANDONED_MS = 3_600_000;

/** Replaces the file by one with its newest records only, within the bound. `handle` reads the file that `index` describes. */
export async function compactFile(
  path: string,
  handle: FileHandle,
  index: EmbeddingIndex,
  format: EmbeddingFormat,
  maxBytes: number,
): Promise<void> {
  const aside = await writeAside(path, (target) => writeKept(target, handle, index, format, maxBytes));
  const old = besideName(path, "old");
  try {
    await rename(path, old);
  } catch (cause) {
    await rm(aside, { force: true });
    // Another process is just replacing it.
    return ignoreMissing(cause);
  }
  const moved = await stat(old, { bigint: true }).catch(ignoreMissing);
  const wasRead = moved !== undefined && fileNumber(moved) === fileNumber(await handle.stat({ bigint: true }));
  if (await putInPlace(aside, path)) await rm(aside, { force: true });
  else await takeOver(aside, 0, path, format);
  await takeOver(old, wasRead ? index.settled : 0, path, format);
}

async function writeKept(
  target: FileHandle,
  handle: FileHandle,
  index: EmbeddingIndex,
  format: EmbeddingFormat,
  maxBytes: number,
): Promise<void> {
  const newest = [...index.offsets].sort((one, other) => one[1] - other[1]).map(([key]) => key);
  const capacity = Math.max(1, Math.floor((maxBytes * KEPT_SHARE - format.header.length) / format.recordBytes));
  // `writeFile` goes on from where the handle stands, and writes all of it or throws.
  await target.writeFile(format.header);
  for await (const { bytes, records } of readRecords(handle, index, newest.slice(-capacity), format)) {
    const kept = records.map(([, position]) => bytes.subarray(position, position + format.recordBytes));
    await target.writeFile(Buffer.concat(kept));
  }
}

/** Appends to the file at `path` all records of another one, from an offset on, that it does not have; then removes the other. */
async function takeOver(source: string, from: number, path: string, format: EmbeddingFormat): Promise<void> {
  const handle = await open(source, "r").catch(ignoreMissing);
  // Another process has taken it over.
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    let present: ReadonlyMap<string, number> | undefined;
    for await (const { bytes, positions } of scanRecords(handle, from, size, format)) {
      if (positions.length === 0) continue;
      present ??= await keysAt(path, format);
      const missing = positions.filter((position) => !present?.has(recordKey(bytes, position)));
      const records = missing.map((position) => bytes.subarray(position, position + format.recordBytes));
      await appendRecords(path, Buffer.concat(records), format);
    }
  } finally {
    await handle.close();
  }
  await rm(source, { force: true });
}

async function keysAt(path: string, format: EmbeddingFormat): Promise<ReadonlyMap<string, number>> {
  const handle = await open(path, "r").catch(ignoreMissing);
  if (handle === undefined) return new Map();
  try {
    return (await updateIndex(path, handle, format)).offsets;
  } finally {
    await handle.close();
  }
}

/** Takes over the old files that killed processes left behind, and removes what they had begun to write aside. */
export async function recoverLeftovers(path: string, format: EmbeddingFormat): Promise<void> {
  const folder = dirname(path);
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const beside = names.filter((name) => name.startsWith(`${basename(path)}.`)).map((name) => join(folder, name));
  for (const file of beside.filter((name) => /\.[0-9a-f]{12}\.old$/.test(name)))
    if (await isOurs(file, format)) await takeOver(file, 0, path, format);
  const now = (await stat(path).catch(ignoreMissing))?.mtimeMs ?? 0;
  for (const file of beside.filter((name) => /\.[0-9a-f]{12}\.part$/.test(name))) {
    const written = (await stat(file).catch(ignoreMissing))?.mtimeMs ?? now;
    if (now - written > ABANDONED_MS) await rm(file, { force: true });
  }
}

async function isOurs(file: string, format: EmbeddingFormat): Promise<boolean> {
  const handle = await open(file, "r").catch(ignoreMissing);
  if (handle === undefined) return false;
  try {
    const bytes = Buffer.alloc(Math.max(HEADER_READ_BYTES, format.header.length));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    const { state } = readHeader(bytes.subarray(0, bytesRead), format);
    return state === "intact" || state === "damaged";
  } finally {
    await handle.close();
  }
}
