import { randomUUID } from "node:crypto";
import { access, constants, lstat, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { SetwiseError } from "setwise";

/**
 * The file that is written where `path` is named: `path` itself, or what it points to if it is a link. It refuses a path that no file can be
 * written to, so it is asked before work begins whose outcome the file is to hold.
 *
 * @throws SetwiseError `unwritable-target`.
 */
export async function writableFile(path: string): Promise<string> {
  // A pipe or device would be replaced by a file.
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw unwritable(path, found.isDirectory() ? "it is a folder" : "it is no regular file");
  if (found === undefined && (await isLink(path))) throw unwritable(path, "it is a link to nothing");
  try {
    const target = found === undefined ? path : await realpath(path);
    await access(dirname(target), constants.W_OK);
    return target;
  } catch (cause) {
    throw unwritable(path, reasonOf(cause), cause);
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Writes texts one after the other as one file, aside first and then renamed: if that fails, what was there is untouched.
 *
 * @throws SetwiseError `unwritable-target`.
 */
export async function writeTextFile(path: string, texts: Iterable<string>): Promise<void> {
  const target = await writableFile(path);
  try {
    await writeAside(target, texts);
  } catch (cause) {
    throw unwritable(path, reasonOf(cause), cause);
  }
}

/**
 * Writes a file beside `path` and then gives it that name. Beside it has a name that nobody can guess and must be new, so that no link laid there
 * is followed and two runs do not share it; it is gone when writing fails.
 */
export async function writeAside(path: string, content: Iterable<string> | Uint8Array): Promise<void> {
  const aside = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(aside, content, { flag: "wx" });
    await rename(aside, path);
  } catch (cause) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** What the system says, with its code but without the name of the file aside. */
export function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/, \w+(?: '.*)?$/s, "");
}

function unwritable(path: string, why: string, cause?: unknown): SetwiseError {
  const isFull = ["ENOSPC", "EDQUOT"].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? "");
  return new SetwiseError(
    "unwritable-target",
    `Cannot write ${path}: ${why}. ${isFull ? "Make room, or name" : "Name"} a file in a folder that can be written.`,
    { source: path, cause },
  );
}
