import { access, constants, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { SetwiseError } from "setwise";

/**
 * Refuses a path that no file can be written to, before work begins whose outcome it is to hold.
 *
 * @throws SetwiseError `unwritable-target`.
 */
export async function refuseUnwritable(path: string): Promise<void> {
  // A pipe or device would be replaced by a file.
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile()) throw unwritable(path, "it is no regular file");
  await access(dirname(path), constants.W_OK).catch((cause: unknown) => {
    throw unwritable(path, (cause as Error).message, cause);
  });
}

/**
 * Writes texts one after the other as one file, aside first and then renamed: if that fails, what was there is untouched.
 *
 * @throws SetwiseError `unwritable-target`.
 */
export async function writeTextFile(path: string, texts: Iterable<string>): Promise<void> {
  await refuseUnwritable(path);
  const aside = `${path}.part`;
  try {
    await writeFile(aside, texts);
    await rename(aside, path);
  } catch (cause) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw unwritable(path, (cause as Error).message, cause);
  }
}

function unwritable(path: string, why: string, cause?: unknown): SetwiseError {
  return new SetwiseError(
    "unwritable-target",
    `Cannot write ${path}: ${why}. Name a file in a folder that can be written.`,
    {
      source: path,
      cause,
    },
  );
}
