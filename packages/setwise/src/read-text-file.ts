import { readFile, stat } from "node:fs/promises";
import { SetwiseError } from "@setwise/core";
import { decodeText } from "./decode-text.ts";
import { MAX_SOURCE_BYTES } from "./size-limit.ts";

/**
 * The text of a regular file: UTF-8, or UTF-16 where it begins with its mark. A pipe or device is refused, since it may
 * never end or never begin.
 *
 * @throws SetwiseError `unreadable-source` or `too-large`.
 */
export async function readTextFile(path: string): Promise<string> {
  const found = await reading(path, stat(path));
  if (!found.isFile()) {
    const message = `Cannot read ${path}: it is no regular file. Write what it holds to a file first.`;
    throw new SetwiseError("unreadable-source", message, { source: path });
  }
  if (found.size > MAX_SOURCE_BYTES) {
    const message = `${path} has ${found.size} bytes; at most ${MAX_SOURCE_BYTES} are read. Split it.`;
    throw new SetwiseError("too-large", message, { source: path });
  }
  return decodeText(await reading(path, readFile(path)));
}

/** What the file system gives for `path`. */
export async function reading<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new SetwiseError(
      "unreadable-source",
      `Cannot read ${path}: ${(cause as Error).message}. Name a file, folder or http(s) address.`,
      { source: path, cause },
    );
  }
}
