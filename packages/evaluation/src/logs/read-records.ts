import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { PassThrough, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { SetwiseError } from "@setwise/core";
import { elementSplitter, lineSplitter, type Piece, type Splitter, wholeText } from "./split-text.ts";

/** One conversation of a long agent run fits; what is longer is no record of a log. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** A first line that is longer than this says by how it begins which form the file has. */
const LONGEST_HEAD = 1024 * 1024;

/** A JSON value of a file. */
export interface LogRecord {
  readonly value: unknown;
  readonly source: string;
  /** The 1-based line where it begins. */
  readonly line: number;
}

/** What could not be used, in a sentence. */
export interface ReadingProblem {
  readonly source: string;
  readonly line: number;
  readonly sentence: string;
}

export interface ReadRecordsOptions {
  /** Longest record, in characters; longer ones are left out. 16 Mi by default. */
  readonly mostCharacters?: number;
  readonly onProblem?: (problem: ReadingProblem) => void;
}

/**
 * The JSON values of a file, one after the other: its lines, the elements of its array, or the one object it is; gzipped if its
 * name ends in `.gz`. No more than one value is in memory, whatever the size of the file. What is not JSON, as the last line of a log
 * that is being written, is told to `onProblem` and left out.
 *
 * @throws SetwiseError `unreadable-source` when the file cannot be read.
 */
export async function* readRecords(path: string, options: ReadRecordsOptions = {}): AsyncGenerator<LogRecord> {
  const { mostCharacters = MOST_CHARACTERS, onProblem = () => {} } = options;
  const parsed = function* (pieces: readonly Piece[]): Generator<LogRecord> {
    for (const { text, line } of pieces) {
      if (text === undefined) {
        const sentence = `A record is longer than ${mostCharacters} characters; it was left out.`;
        onProblem({ source: path, line, sentence });
        continue;
      }
      try {
        yield { value: JSON.parse(text) as unknown, source: path, line };
      } catch {
        onProblem({ source: path, line, sentence: "This is not JSON; it was left out. A log may end in half a line." });
      }
    }
  };
  let splitter: Splitter | undefined;
  let head = "";
  for await (const chunk of readText(path)) {
    if (splitter !== undefined) {
      yield* parsed(splitter.push(chunk));
      continue;
    }
    head += chunk;
    splitter = splitterFor(head, false, mostCharacters);
    if (splitter !== undefined) yield* parsed(splitter.push(head));
  }
  if (splitter === undefined) {
    splitter = splitterFor(head, true, mostCharacters) ?? lineSplitter(mostCharacters);
    yield* parsed(splitter.push(head));
  }
  yield* parsed(splitter.end());
}

/**
 * Which form the text has, from its first line; `undefined` while that is not known. A first line that is a whole value and not the
 * whole text means lines, even of arrays.
 */
function splitterFor(head: string, complete: boolean, limit: number): Splitter | undefined {
  const start = head.trimStart();
  if (start === "") return undefined;
  const end = start.indexOf("\n");
  const first = end < 0 ? start : start.slice(0, end);
  const decided = end >= 0 || complete || start.length > Math.min(limit, LONGEST_HEAD);
  if (!decided) return undefined;
  if (start.startsWith("[")) {
    const more = end >= 0 && start.slice(end).trim() !== "";
    if (end >= 0 && !more && !complete) return undefined;
    return more && isJson(first) ? lineSplitter(limit) : elementSplitter(limit);
  }
  return first.trim() === "{" ? wholeText(limit) : lineSplitter(limit);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* readText(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  try {
    for await (const bytes of openStream(path)) yield decoder.decode(bytes as Uint8Array, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw new SetwiseError(
      "unreadable-source",
      `Cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}. Expected a file of logged requests that this process may read.`,
      { source: path, cause },
    );
  }
}

function openStream(path: string): Readable {
  const file = createReadStream(path);
  if (!path.endsWith(".gz")) return file;
  const text = new PassThrough();
  // A failure reaches the reader through the last stream, which `pipeline` destroys with it.
  pipeline(file, createGunzip(), text).catch(() => {});
  return text;
}
