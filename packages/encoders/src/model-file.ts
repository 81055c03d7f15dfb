import type { Stats } from "node:fs";
import { SetwiseError } from "@setwise/core";

/** The largest tokenizers, of a quarter of a million pieces, have about 35 MB. */
const maxTextBytes = 128 * 1024 * 1024;

/**
 * Fails with `unreadable-source` unless `path` is a regular file, since a pipe or device may never answer or never end, and with
 * `too-large` where it has more than `maxBytes`. To be asked with what `stat` says before a file of a model's folder is opened.
 */
export function checkModelFile(path: string, found: Stats, maxBytes: number = maxTextBytes): void {
  if (!found.isFile()) throw new SetwiseError("unreadable-source", `${path} is no regular file.`, { source: path });
  if (found.size > maxBytes)
    throw new SetwiseError(
      "too-large",
      `${path} has ${found.size} bytes, but such files are read up to ${maxBytes}. Check what the folder holds.`,
      { source: path },
    );
}
