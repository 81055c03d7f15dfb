import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkEncoderRows, type Encoder, type Problem, SetwiseError, refuseAborted } from "@setwise/core";
import { embeddingKey } from "./cached-encoder-key.ts";
import { createVectorMemory } from "./cached-encoder-memory.ts";
import { type EmbeddingFile, embeddingFile } from "./embedding-file.ts";
import { checkCount, checkTexts } from "./encoder-arguments.ts";

export interface CachedEncoderOptions {
  /**
   * Keeps vectors beyond this process: a file, or a folder (one that exists, or a path that ends in a slash) in which each
   * encoder has a file of its own. Without it they are kept in memory only.
   */
  readonly file?: string;
  /** For the file: beyond it the oldest vectors go. */
  readonly maxBytes?: number;
  /** For the memory: beyond it those go that were not used for the longest time. */
  readonly maxMemoryBytes?: number;
  /** Texts are encoded and written so many at a time: what a killed process loses at most. */
  readonly batchTexts?: number;
  /** Hears, once, that the file cannot be used; encoding goes on without it. */
  readonly onProblem?: (problem: Problem) => void;
}

/** 160,000 vectors of 384 dimensions. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Less would hold a few dozen vectors and be rewritten all the time. */
const LEAST_BYTES = 64 * 1024;
/** 35,000 vectors of 384 dimensions. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** A few seconds of a transformer on one core; several requests of an HTTP encoder at once. */
const BATCH_TEXTS = 256;

type Side = "query" | "document";
type Vectors = ReadonlyMap<string, Float32Array>;

/**
 * The same encoder, which encodes no text twice: vectors are kept by the content of the text, the side and the encoder's
 * name. What the encoder itself throws is passed on, and what it had answered until then is kept.
 *
 * @throws SetwiseError `invalid-argument`; from `encode` also `invalid-argument` when `file` belongs to another encoder,
 * `unsupported-version`, `corrupt-file` when it is something else, and `aborted`. A file that is full, read-only or
 * unreadable is no error, nor is one in a folder that holds something else: `onProblem` hears of it.
 */
export function createCachedEncoder(encoder: Encoder, options: CachedEncoderOptions = {}): Encoder {
  const { name, dimensions } = encoder;
  const { batchTexts = BATCH_TEXTS, maxMemoryBytes = MAX_MEMORY_BYTES } = options;
  checkCount("batchTexts", batchTexts, 1, Number.MAX_SAFE_INTEGER);
  checkCount("maxMemoryBytes", maxMemoryBytes, 0, Number.MAX_SAFE_INTEGER);
  const memory = createVectorMemory(maxMemoryBytes, dimensions);
  const store = lazyStore(encoder, options);
  /** Being encoded right now, by whichever call. */
  const pending = new Map<string, Promise<Vectors>>();

  async function encodeBatch(texts: ReadonlyMap<string, string>, as: Side, signal?: AbortSignal): Promise<Vectors> {
    const rows: unknown = await encoder.encode([...texts.values()], signal === undefined ? { as } : { as, signal });
    // A wrong vector would be kept for good.
    checkEncoderRows(rows, texts.size, encoder);
    const vectors = new Map<string, Float32Array>();
    for (const [row, key] of [...texts.keys()].entries())
      vectors.set(key, rows.slice(row * dimensions, (row + 1) * dimensions));
    return vectors;
  }

  /** Encodes one batch where other calls can wait for it, and keeps it. */
  async function encodeAndKeep(texts: ReadonlyMap<string, string>, as: Side, signal?: AbortSignal): Promise<Vectors> {
    const work = encodeBatch(texts, as, signal);
    for (const key of texts.keys()) pending.set(key, work);
    try {
      const vectors = await work;
      for (const [key, vector] of vectors) memory.set(key, vector);
      await store?.append(vectors);
      return vectors;
    } finally {
      for (const key of texts.keys()) pending.delete(key);
    }
  }

  return {
    name,
    dimensions,
    async encode(texts, { as = "document", signal } = {}) {
      checkTexts(texts);
      refuseAborted(signal);
      const result = new Float32Array(texts.length * dimensions);
      const wanted = positionsByKey(texts.map((text) => embeddingKey(name, as, text)));
      const settle = (key: string, vector: Float32Array): void => {
        for (const position of wanted.get(key) ?? []) result.set(vector, position * dimensions);
        wanted.delete(key);
      };
      const settleAll = (vectors: Vectors): void => vectors.forEach((vector, key) => settle(key, vector));
      const settleFromMemory = (): void => {
        for (const key of wanted.keys()) {
          const vector = memory.get(key);
          if (vector !== undefined) settle(key, vector);
        }
      };

      settleFromMemory();
      if (wanted.size > 0 && store !== undefined) {
        const found = await store.read([...wanted.keys()]);
        for (const [key, vector] of found) memory.set(key, vector);
        settleAll(found);
      }
      while (wanted.size > 0) {
        refuseAborted(signal);
        settleFromMemory();
        const batch = new Map<string, string>();
        for (const [key, positions] of wanted) {
          if (batch.size === batchTexts) break;
          if (!pending.has(key)) batch.set(key, texts[positions[0] ?? 0] ?? "");
        }
        if (batch.size > 0) settleAll(await encodeAndKeep(batch, as, signal));
        else settleAll(await otherCalls([...wanted.keys()], signal));
      }
      return result;
    },
  };

  /** What another call is just encoding; nothing if that call fails, and then this one does it itself. */
  async function otherCalls(keys: readonly string[], signal?: AbortSignal): Promise<Vectors> {
    const work = pending.get(keys[0] ?? "")?.catch(() => new Map());
    return work === undefined ? new Map() : await unlessAborted(work, signal);
  }
}

function positionsByKey(keys: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [position, key] of keys.entries()) {
    const same = positions.get(key);
    if (same === undefined) positions.set(key, [position]);
    else same.push(position);
  }
  return positions;
}

/** The file behind the options, which reports trouble once and never fails for it; `undefined` without a file. */
function lazyStore(encoder: Encoder, options: CachedEncoderOptions): EmbeddingFile | undefined {
  const { maxBytes = MAX_BYTES } = options;
  checkCount("maxBytes", maxBytes, LEAST_BYTES, Number.MAX_SAFE_INTEGER);
  if (options.file === undefined) return undefined;
  if (typeof options.file !== "string" || options.file === "")
    throw new SetwiseError("invalid-argument", "`file` must be the path of a file or folder. Leave it out for none.");
  const isFolderName = /[\\/]$/.test(options.file);
  // The working directory may change before the first text comes.
  const path = resolve(options.file);
  let opened: Promise<EmbeddingFile> | undefined;
  let isReported = false;

  async function isFolder(): Promise<boolean> {
    return isFolderName || (await stat(path).catch(() => undefined))?.isDirectory() === true;
  }

  /** In a folder the name of the file is ours, so the caller could not name another one in place of what lies there. */
  async function isTolerable({ code }: SetwiseError): Promise<boolean> {
    if (code === "unreadable-source" || code === "unwritable-target") return true;
    return (code === "corrupt-file" || code === "unsupported-version") && (await isFolder());
  }

  async function open(): Promise<EmbeddingFile> {
    const file = (await isFolder()) ? join(path, fileNameFor(encoder)) : path;
    return embeddingFile(file, { encoderName: encoder.name, dimensions: encoder.dimensions, maxBytes });
  }

  async function tolerant<T>(use: (file: EmbeddingFile) => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await use(await (opened ??= open()));
    } catch (cause) {
      if (!SetwiseError.isInstance(cause) || !(await isTolerable(cause))) throw cause;
      if (!isReported) report(cause);
      return otherwise;
    }
  }

  function report(error: SetwiseError): void {
    isReported = true;
    const message = `${error.message} Until then texts are encoded again each time.`;
    options.onProblem?.({ code: "cache-unusable", message, source: error.source ?? path });
  }

  return {
    read: (keys) => tolerant((file) => file.read(keys), new Map()),
    append: (entries) => tolerant((file) => file.append(entries), undefined),
  };
}

function fileNameFor({ name, dimensions }: Encoder): string {
  const hash = createHash("sha256").update(`${name}\0${dimensions}`).digest("hex").slice(0, 16);
  return `embeddings-${hash}.setwise`;
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((settle) => {
    stop = settle;
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    await Promise.race([work, stopped]);
    refuseAborted(signal);
    return await work;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
