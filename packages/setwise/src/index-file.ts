import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SetwiseError } from "@setwise/core";

/** The name of the one file that an index folder holds. */
export const INDEX_FILE_NAME = "index.setwise";

/**
 * The index file of folder `path`, which is made if it is missing.
 *
 * @throws SetwiseError `unwritable-target` when the folder cannot be made.
 */
export async function indexFile(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw new SetwiseError(
      "unwritable-target",
      `Cannot make the index folder ${path}: ${(cause as Error).message}. Name a folder that can be written.`,
      {
        source: path,
        cause,
      },
    );
  }
  return join(path, INDEX_FILE_NAME);
}

/** The index file behind `path`, if `path` is an index folder or an index file itself. */
export async function existingIndexFile(path: string): Promise<string | undefined> {
  if (path.endsWith(INDEX_FILE_NAME)) return path;
  const inside = join(path, INDEX_FILE_NAME);
  const found = await stat(inside).then(
    (entry) => entry.isFile(),
    () => false,
  );
  return found ? inside : undefined;
}
