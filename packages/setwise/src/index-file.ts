import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
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
    await makeFolder(path);
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

/**
 * Makes `path` and the folders above it. Not `recursive`: with that, Node tries for ever where a folder exists in which
 * none can be made (`/proc`).
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (cause) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT" || (await isFolder(parent))) throw cause;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/** The index file behind `path`, if `path` is an index folder or an index file itself. */
export async function existingIndexFile(path: string): Promise<string | undefined> {
  const file = path.endsWith(INDEX_FILE_NAME) ? path : join(path, INDEX_FILE_NAME);
  const found = await stat(file).then(
    (entry) => entry.isFile(),
    () => false,
  );
  return found ? file : undefined;
}
