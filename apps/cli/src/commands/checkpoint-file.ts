import { readFile, rm } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { SetwiseError, type TrainOptions } from "setwise";
import { reasonOf, writeAside } from "../write-text-file.ts";

type Checkpoint = NonNullable<TrainOptions["resume"]>;

/** What is kept beside a model while it is trained. */
export interface CheckpointFile {
  /** The state to go on from; `undefined` where there is none, or what is there is none. */
  read(): Promise<Checkpoint | undefined>;
  write(checkpoint: Checkpoint): Promise<void>;
  remove(): Promise<void>;
}

/** Where the checkpoint of the model `out` is kept. */
export function checkpointPath(out: string): string {
  return `${out}.checkpoint`;
}

/** The checkpoint of the model `out`; it throws `unreadable-source` and `unwritable-target`. */
export function checkpointFile(out: string): CheckpointFile {
  const path = checkpointPath(out);
  return {
    async read() {
      const bytes = await bytesOf(path);
      try {
        const value: unknown = bytes === undefined ? undefined : deserialize(bytes);
        return isCheckpoint(value) ? value : undefined;
      } catch {
        return undefined;
      }
    },
    async write(checkpoint) {
      try {
        await writeAside(path, serialize(checkpoint));
      } catch (cause) {
        throw new SetwiseError(
          "unwritable-target",
          `The checkpoint ${path} cannot be written (${reasonOf(cause)}). Make room, or choose another --out.`,
          { source: path, cause },
        );
      }
    },
    remove: () => rm(path, { force: true }),
  };
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new SetwiseError(
      "unreadable-source",
      `The checkpoint ${path} of an interrupted training cannot be read (${reasonOf(cause)}). Make it readable, or remove it to begin anew.`,
      { source: path, cause },
    );
  }
}

function isCheckpoint(value: unknown): value is Checkpoint {
  if (typeof value !== "object" || value === null) return false;
  const { stage, epochs, bestWorth, waited, current, best } = value as Partial<Record<keyof Checkpoint, unknown>>;
  const isBytes = (bytes: unknown): boolean => bytes instanceof Uint8Array;
  return (
    (stage === "match" || stage === "sets") &&
    [epochs, waited].every((count) => Number.isInteger(count) && (count as number) >= 0) &&
    typeof bestWorth === "number" &&
    isBytes(current) &&
    isBytes(best)
  );
}
