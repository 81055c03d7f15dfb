import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { SetwiseError } from "@setwise/core";
import { deserializeIndex, serializeIndex } from "./serialize-index.ts";
import type { ToolIndex } from "./tool-index.ts";

/**
 * Saves an index with its catalog. It is written to a file beside the target, flushed to the disk and then renamed, so that
 * at every moment the target is the old file or the new one, whole.
 *
 * @throws SetwiseError `unwritable-target` when the folder is missing or may not be written, or the disk is full; the old file is untouched.
 */
export async function saveIndex(index: ToolIndex, file: string): Promise<void> {
  const target = resolve(file);
  const aside = `${target}.${randomUUID()}.part`;
  const bytes = serializeIndex(index);
  try {
    await refuseSpecial(target);
    const handle = await open(aside, "wx");
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, target);
  } catch (cause) {
    await rm(aside, { force: true }).catch(() => undefined);
    const message = `The index could not be written to ${file} (${reason(cause)}); what was there is unchanged. ${adviceFor(cause)}`;
    throw new SetwiseError("unwritable-target", message, { source: file, cause });
  }
  await syncFolder(dirname(target));
}

/** A rename would put a file in the place of a device or a pipe. */
async function refuseSpecial(target: string): Promise<void> {
  const present = await stat(target).catch(() => undefined);
  if (present !== undefined && !present.isFile() && !present.isDirectory())
    throw new Error("it is a device, a pipe or a socket, not a file");
}

/** Makes the rename itself last; some systems cannot open a folder, and then it lasts as soon as they see fit. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // Not possible here; the file itself is already on the disk.
  }
}

/**
 * Opens a saved index.
 *
 * @throws SetwiseError `unreadable-source` when the file cannot be read, else as {@link deserializeIndex}, with `source`.
 */
export async function loadIndex(file: string): Promise<ToolIndex> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    const message = `The index ${file} cannot be read (${reason(cause)}). Check the path, or build it first.`;
    throw new SetwiseError("unreadable-source", message, { source: file, cause });
  }
  try {
    return deserializeIndex(bytes);
  } catch (cause) {
    if (!SetwiseError.isInstance(cause)) throw cause;
    throw new SetwiseError(cause.code, `${file}: ${cause.message}`, { source: file, cause });
  }
}

function adviceFor(cause: unknown): string {
  const isFull = ["ENOSPC", "EDQUOT"].includes((cause as NodeJS.ErrnoException).code ?? "");
  return isFull ? "The disk is full: make room." : "Choose a folder that exists and may be written.";
}

function reason(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? (cause instanceof Error ? cause.message : String(cause));
}
