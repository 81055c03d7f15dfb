import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { SetwiseError } from "setwise";

/** A file as the command line names it. */
export interface NamedFile {
  /** What names it, such as "--out" or "the source". */
  readonly as: string;
  /** `undefined` where it is not given; what is no file, such as an address, hurts nothing. */
  readonly path: string | undefined;
  /** It is read before it is written again, and refused where it is another kind of file. */
  readonly isReadFirst?: boolean;
}

/** Files of a folder that are read as tool lists or as logs. */
const READ_OF_A_FOLDER = /\.(?:jsonl?|ya?ml|ndjson|log|txt)(?:\.gz)?$/i;

/**
 * Refuses, before work begins, what would write over a file that is read, or two outcomes into one file; whichever way they are named.
 *
 * @throws SetwiseError `invalid-argument`.
 */
export async function refuseLostFiles(written: readonly NamedFile[], read: readonly NamedFile[]): Promise<void> {
  const [outcomes, inputs] = await Promise.all([located(written), located(read)]);
  for (const [place, outcome] of outcomes.entries()) {
    const input = inputs.find((file) => isSame(file, outcome) || isReadInside(file, outcome));
    if (input !== undefined) {
      throw clash(outcome, `would be written over ${input.as} ${input.path}, which is read`);
    }
    const former = outcomes.slice(0, place).find((file) => isSame(file, outcome));
    if (former !== undefined)
      throw clash(outcome, `is the file of ${former.as} too, and only one of the two would be left`);
  }
}

function clash({ as, path }: Located, what: string): SetwiseError {
  return new SetwiseError("invalid-argument", `${as} ${path} ${what}. Name another file.`, { source: path });
}

interface Located extends NamedFile {
  readonly path: string;
  /** Free of links, as far as it is there. */
  readonly place: string;
  /** Device and number: one file may have several names. */
  readonly number: string | undefined;
  readonly isFolder: boolean;
}

async function located(files: readonly NamedFile[]): Promise<readonly Located[]> {
  return Promise.all(files.flatMap(({ path, ...file }) => (path === undefined ? [] : [locate({ ...file, path })])));
}

async function locate(file: NamedFile & { readonly path: string }): Promise<Located> {
  const { path } = file;
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  const folder = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)));
  const place = await realpath(path).catch(() => join(folder, basename(path)));
  const number = found === undefined ? undefined : `${found.dev}:${found.ino}`;
  return { ...file, place, number, isFolder: found?.isDirectory() === true };
}

function isSame(one: Located, other: Located): boolean {
  return one.place === other.place || (one.number !== undefined && one.number === other.number);
}

/** Whether the outcome is there already, as a file that is read with its folder. */
function isReadInside(folder: Located, { place, number, isReadFirst }: Located): boolean {
  if (!folder.isFolder || number === undefined || isReadFirst === true || !READ_OF_A_FOLDER.test(place)) return false;
  const way = relative(folder.place, place);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}

/** The sources of a command as files that are read. */
export function sourceFiles(sources: readonly string[]): readonly NamedFile[] {
  return sources.map((path) => ({ as: "the source", path }));
}
