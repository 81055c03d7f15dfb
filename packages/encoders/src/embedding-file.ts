import { type FileHandle, open, stat } from "node:fs/promises";
import { SetwiseError } from "@setwise/core";
import { compactFile, recoverLeftovers } from "./embedding-file-compact.ts";
import { type EmbeddingFormat, embeddingFormat, recordVector } from "./embedding-file-format.ts";
import { type EmbeddingIndex, readRecords, type RecordListener, updateIndex } from "./embedding-file-index.ts";
import { appendVectors, errorCode, ignoreMissing } from "./embedding-file-write.ts";

/**
 * Vectors by key in one append-only file, shared with other processes. A record that is torn or damaged is as if it had
 * never been written; what lies before and after it stays.
 */
export interface EmbeddingFile {
  /** The vectors of those keys that the file holds by now, whoever wrote them. Throws `unreadable-source`, or why it is refused. */
  read(keys: readonly string[]): Promise<Map<string, Float32Array>>;
  /** Adds what is not there yet. Throws `unwritable-target` (full, read-only), or why the file is refused. */
  append(entries: ReadonlyMap<string, Float32Array>): Promise<void>;
}

export interface EmbeddingFileOptions {
  readonly encoderName: string;
  readonly dimensions: number;
  /** Beyond it the oldest records go. The file is never larger by more than one `append`. */
  readonly maxBytes: number;
  /** Fewer dead bytes than this are left alone; by default a megabyte. */
  readonly minDeadBytes?: number;
}

/** Rewriting a smaller file gains nothing that anyone would notice. */
const MIN_DEAD_BYTES = 1024 * 1024;

/** Nothing is read or written before the first call. Calls are carried out one after the other. */
export function embeddingFile(path: string, options: EmbeddingFileOptions): EmbeddingFile {
  const { maxBytes, minDeadBytes = MIN_DEAD_BYTES } = options;
  const format = embeddingFormat(options.encoderName, options.dimensions);
  let index: EmbeddingIndex | undefined;
  let isRecovered = false;
  let canCompact = true;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = last.then(task);
    last = turn.catch(() => undefined);
    return turn;
  }

  /** Opens the file, brings the index up to date and hands both on; without a file `use` is not called. */
  async function look(use: (handle: FileHandle, index: EmbeddingIndex) => Promise<void>, listener?: RecordListener) {
    if (!isRecovered) await recover();
    let handle = await openRegular(path);
    if (handle === undefined) {
      // Perhaps it is just being replaced: then its records are beside it.
      await recover();
      handle = await openRegular(path);
    }
    if (handle === undefined) {
      index = undefined;
      return;
    }
    try {
      index = await updateIndex(path, handle, format, index, listener);
      await use(handle, index);
    } finally {
      await handle.close();
    }
  }

  /** What others left behind can wait where it cannot be taken over now. */
  async function recover(): Promise<void> {
    isRecovered = true;
    await recoverLeftovers(path, format).catch(() => undefined);
  }

  async function tidy(handle: FileHandle, known: EmbeddingIndex): Promise<void> {
    if (!canCompact || !wantsCompaction(known, format, maxBytes, minDeadBytes)) return;
    // Once is enough on a full disk; the next process tries again.
    canCompact = false;
    await compactFile(path, handle, known, format, maxBytes);
    canCompact = true;
  }

  /** A file that cannot be made smaller can perhaps still be appended to: that failure waits. */
  async function tidyFirst() {
    let failure: unknown;
    await look(async (handle, known) => {
      await tidy(handle, known).catch((cause: unknown) => {
        failure = cause;
      });
    });
    return { offsets: index?.offsets, failure };
  }

  return {
    read: (keys) =>
      inTurn(() =>
        guarded("unreadable-source", path, async () => {
          const found = new Map<string, Float32Array>();
          const wanted = new Set(keys);
          const listener: RecordListener = (key, vector) => {
            if (wanted.has(key)) found.set(key, vector());
          };
          await look(async (handle, known) => {
            const rest = keys.filter((key) => !found.has(key));
            for await (const { bytes, records } of readRecords(handle, known, rest, format))
              for (const [key, position] of records) found.set(key, recordVector(bytes, position, format));
          }, listener);
          return found;
        }),
      ),
    append: (entries) =>
      inTurn(() =>
        guarded("unwritable-target", path, async () => {
          const known = await tidyFirst();
          await appendVectors(path, missingFrom(entries, known.offsets), format);
          if (known.failure !== undefined) throw known.failure;
        }),
      ),
  };
}

function missingFrom(
  entries: ReadonlyMap<string, Float32Array>,
  known: ReadonlyMap<string, number> | undefined,
): (readonly [string, Float32Array])[] {
  return [...entries].filter(([key]) => !known?.has(key));
}

/** Whether dead bytes (duplicates, damaged and torn records) outweigh the living ones, or all are too many. */
function wantsCompaction(index: EmbeddingIndex, format: EmbeddingFormat, maxBytes: number, minDead: number): boolean {
  if (index.hasDamagedHeader || index.settled > maxBytes) return true;
  const living = index.offsets.size * format.recordBytes;
  const dead = index.settled - format.header.length - living;
  return dead >= minDead && dead > living;
}

/** `undefined` where nothing is. A pipe or device is not even opened: it may never answer, or never end. */
async function openRegular(path: string): Promise<FileHandle | undefined> {
  const found = await stat(path).catch(ignoreMissing);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new Error("it is no regular file");
  return open(path, "r").catch(ignoreMissing);
}

/** Errors of the system become ours; a file that is refused was reported as such already. */
async function guarded<T>(
  code: "unreadable-source" | "unwritable-target",
  path: string,
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (SetwiseError.isInstance(cause)) throw cause;
    const verb = code === "unreadable-source" ? "read" : "written";
    const advice = isFull(cause)
      ? "The disk is full, or allows no larger file: make room."
      : "Name a file in a folder that may be written.";
    const message = `The embedding file ${path} cannot be ${verb}: ${(cause as Error).message}. ${advice}`;
    throw new SetwiseError(code, message, { source: path, cause });
  }
}

/** No room, none left of a quota, or a file larger than may be. */
function isFull(cause: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(errorCode(cause) ?? "");
}
