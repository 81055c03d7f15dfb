import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SetwiseError } from "@setwise/core";

const LOG_NAME = /\.(?:jsonl?|ndjson|log|txt)(?:\.gz)?$/i;
/** Folders within folders: logs by year, month and day need three. */
const DEEPEST = 8;

/**
 * The file itself, or all files of a folder that may hold logs (`.json`, `.jsonl`, `.ndjson`, `.log`, `.txt`, each also `.gz`), in the
 * order of their names; links are not followed.
 *
 * @throws SetwiseError `unreadable-source` when there is no such file or folder.
 */
export async function listLogFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const files: string[] = [];
    const folders = [{ folder: path, depth: 0 }];
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      for (const entry of await readdir(at.folder, { withFileTypes: true })) {
        const inside = join(at.folder, entry.name);
        if (entry.isFile() && LOG_NAME.test(entry.name)) files.push(inside);
        else if (entry.isDirectory() && at.depth < DEEPEST) folders.push({ folder: inside, depth: at.depth + 1 });
      }
    }
    return files.sort();
  } catch (cause) {
    throw new SetwiseError(
      "unreadable-source",
      `Cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}. Expected a file of logged requests or a folder of such files.`,
      { source: path, cause },
    );
  }
}
