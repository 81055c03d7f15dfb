import { allocateAnswer } from "./answer-columns.ts";
import {
  checkDimensions,
  checkK,
  checkOneOf,
  checkOrdinals,
  checkThreads,
  checkTyped,
  checkVectors,
} from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import type { Kernels } from "./kernels.ts";
import { createNativeVectorIndex } from "./native/vector-index.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { createTypescriptVectorIndex } from "./typescript/vector-index.ts";
import { loadVectorIndex, saveVectorIndex } from "./vector-index-file.ts";
import type { Precision, Similarity, VectorIndexKernel } from "./vector-index-kernel.ts";

/** The similarity that needs no change of the vectors; over rows of length 1 it is the cosine. */
const defaultSimilarity: Similarity = "inner-product";
/** The precision that needs no more memory than the vectors. */
const defaultPrecision: Precision = "float32";
/** One thread, so that nothing is started that was not asked for. */
const defaultThreads = 1;

/** How an index is made. */
export interface VectorIndexOptions {
  /** Numbers in a vector, 1 to 65,536. */
  readonly dimensions: number;
  /** rows × dimensions finite numbers, row by row; copied. Its length may be 0: an empty index answers nothing. */
  readonly vectors: Float32Array;
  /** Default: `inner-product`. */
  readonly similarity?: Similarity;
  /**
   * Default: `float32`. With `int8` a scan reads a quarter as much and takes a quarter to a fifth of the time, for a quarter more memory;
   * the answers are the same to the last bit. The TypeScript kernels ignore it.
   */
  readonly precision?: Precision;
  /**
   * Threads that a search uses, the calling one among them, 1 to 64; the others sleep between searches and end with the index.
   * The answers are the same. Default: 1. The TypeScript kernels ignore it.
   */
  readonly threads?: number;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/** Which rows a search may answer, and how several queries make answers. */
export interface VectorSearchOptions {
  /** The only rows that may be answered, by ordinal, in any order, doubles allowed. Default: all rows. */
  readonly allow?: Uint32Array;
  /** Rows that may not be answered, by ordinal, in any order, doubles allowed; stronger than `allow`. */
  readonly exclude?: Uint32Array;
  /**
   * `each` (default): every query has answers of its own. `maximum`: all queries have the same answers, of which a score is the
   * greatest score that a query gives the row: max over i of z_j · a_i, the complementarity of HYSET, equation 13, where the
   * queries a_i are the tools that were chosen.
   */
  readonly combine?: "each" | "maximum";
}

/** How a saved index is read and searched from then on. */
export interface VectorIndexLoadOptions {
  /**
   * Read the rows in place instead of copying them, where the kernels are native and `dimensions` is a multiple of 16 (else they are
   * copied). Processes that map one file share its memory. Nobody may change or shorten the file meanwhile: a process that
   * reads what is no longer there is ended by the system. To save to its path is safe, since that leaves the old file alone.
   */
  readonly memoryMap?: boolean;
  /** Default: as it was saved. */
  readonly precision?: Precision;
  /** Default: 1. */
  readonly threads?: number;
  /** Default: the addon if it loads, else TypeScript. */
  readonly kernels?: Kernels;
}

/** Answers as columns, `count` for each query, one query behind the other; for one query simply its answers. */
export interface VectorMatches {
  /** Ordinals of rows, best first, equal scores by lower ordinal. */
  readonly ids: Uint32Array;
  /** Scores beside them. */
  readonly scores: Float32Array;
  /** Answers a query has: k, or as many rows as may be answered when they are fewer. */
  readonly count: number;
}

/**
 * Exact top-k over vectors in memory of its own (float32). Answers are the same to the last bit on every processor, in both
 * implementations, at both precisions and with any number of threads: a score is the sum of the products in float64, in one
 * fixed order, rounded to float32.
 *
 * An ordinal is a row's place and stays its own: {@link VectorIndex.add} gives the next ones, and the place of a removed row stays
 * empty until {@link VectorIndex.replace} fills it.
 *
 * Call {@link VectorIndex.dispose} when an index is no longer needed: the garbage collector would free it only after a turn
 * of the event loop.
 */
export class VectorIndex {
  readonly dimensions: number;
  readonly similarity: Similarity;
  readonly precision: Precision;
  #kernel: VectorIndexKernel | undefined;
  #rows: number;
  #removed = 0;
  /** Counts changes, so that a file is never written from two states. */
  #changes = 0;

  /**
   * @throws {KernelError} `invalid-argument` when an option has the wrong type or length, a number is NaN or infinite, or (for
   *   inner products) a row is longer than 2^62; `too-large` when there is no memory for the rows.
   */
  constructor(options: VectorIndexOptions) {
    const {
      dimensions,
      similarity = defaultSimilarity,
      precision = defaultPrecision,
    } = checkOptions("options", options);
    const { threads = defaultThreads, vectors: givenVectors, kernels } = options;
    const { addon, simd } = givenKernels(kernels);
    checkDimensions(dimensions);
    checkOneOf("similarity", similarity, ["inner-product", "cosine"]);
    checkOneOf("precision", precision, ["float32", "int8"]);
    checkThreads(threads);
    const vectors = checkVectors("vectors", givenVectors, dimensions);
    this.dimensions = dimensions;
    this.similarity = similarity;
    this.precision = precision;
    this.#rows = vectors.length / dimensions;
    const shape = { dimensions, similarity, precision, threads };
    this.#kernel =
      addon === undefined
        ? createTypescriptVectorIndex(shape, vectors, false)
        : createNativeVectorIndex(addon, simd, shape, vectors, false);
  }

  /** Number of places, also of removed rows: every ordinal is below it. */
  get rows(): number {
    return this.#rows;
  }

  /** Number of rows that can be answered. */
  get size(): number {
    return this.#rows - this.#removed;
  }

  /**
   * The best `k` rows for each query. `queries` holds queries × dimensions numbers; one query is a batch of one, no query has
   * no answers. Rows and queries of zeros score 0 against everything.
   *
   * @throws {KernelError} `invalid-argument` when an argument has the wrong type or length, `k` is no integer of 0 or more, a
   *   number is NaN or infinite, an ordinal names no row, or the index was disposed.
   */
  search(queries: Float32Array, k: number, options: VectorSearchOptions = {}): VectorMatches {
    const { combine = "each", allow: only, exclude: never } = checkOptions("options", options);
    const kernel = this.#open();
    const wanted = checkVectors("queries", queries, this.dimensions);
    checkK(k);
    checkOneOf("combine", combine, ["each", "maximum"]);
    const allow = checkOrdinals("allow", only);
    const exclude = checkOrdinals("exclude", never);
    const together = combine === "maximum";
    const batch = wanted.length / this.dimensions;
    const room = Math.min(k, this.size, allow?.length ?? Number.POSITIVE_INFINITY);
    const questions = together ? Math.min(1, batch) : batch;
    const ids = allocateAnswer(() => new Uint32Array(questions * room));
    const scores = allocateAnswer(() => new Float32Array(questions * room));
    const count = kernel.search(wanted, room, together, allow, exclude, ids, scores);
    if (count === room) return { ids, scores, count };
    // `allow` named a row twice, or one that is excluded: what is left over is cut off, so that the columns hold answers only.
    const used = questions * count;
    return { ids: ids.slice(0, used), scores: scores.slice(0, used), count };
  }

  /**
   * Adds rows (rows × dimensions numbers, copied) behind the last and returns the ordinal of the first of them. Memory grows by
   * half, so that rows can be added one by one. An error leaves the index as it was.
   *
   * @throws {KernelError} as the constructor does.
   */
  add(vectors: Float32Array): number {
    const kernel = this.#open();
    const added = checkVectors("vectors", vectors, this.dimensions);
    const first = kernel.add(added);
    this.#rows += added.length / this.dimensions;
    this.#changes += 1;
    return first;
  }

  /**
   * Puts vectors (ordinals × dimensions numbers, copied) in the places of rows; a removed row comes back by it. Of an ordinal that is
   * named twice the last vector counts. An error leaves the index as it was.
   *
   * @throws {KernelError} `invalid-argument` when an ordinal names no row, and as the constructor does.
   */
  replace(ordinals: Uint32Array, vectors: Float32Array): void {
    const kernel = this.#open();
    const places = checkTyped("ordinals", ordinals, "Uint32Array");
    const replacements = checkVectors("vectors", vectors, this.dimensions);
    if (replacements.length !== places.length * this.dimensions) {
      const expected = `${places.length} ordinals × ${this.dimensions} dimensions = ${places.length * this.dimensions}`;
      throw new KernelError("invalid-argument", `vectors: expected ${expected} numbers, got ${replacements.length}.`);
    }
    this.#removed -= kernel.replace(places, replacements);
    this.#changes += 1;
  }

  /**
   * Removes rows: they are not answered from then on, and their numbers are overwritten. Others keep their ordinals. To remove a
   * row twice does no harm.
   *
   * @throws {KernelError} `invalid-argument` when an ordinal names no row.
   */
  remove(ordinals: Uint32Array): void {
    const kernel = this.#open();
    this.#removed += kernel.remove(checkTyped("ordinals", ordinals, "Uint32Array"));
    this.#changes += 1;
  }

  /**
   * Writes the index to a file in the safetensors format: the tensor `vectors` (rows × dimensions, float32, as they are searched:
   * divided by their lengths for the cosine, zeros where removed) and, when rows were removed, `removed` (their ordinals). The old
   * file stays until the new one is complete.
   *
   * @throws {KernelError} `unwritable-target` when the file cannot be written, `invalid-argument` when the index changes meanwhile.
   */
  async save(path: string): Promise<void> {
    const before = this.#changes;
    await saveVectorIndex(path, this, this.#removed, () => {
      if (this.#changes !== before) {
        throw new KernelError("invalid-argument", "The index was changed while it was saved; save it again.");
      }
      return this.#open();
    });
  }

  /**
   * Reads an index that was saved. Version, shape, sizes and checksum are compared before any of it is used.
   *
   * @throws {KernelError} `unreadable-source` when the file cannot be read, `corrupt-file` when it is cut short, damaged or of another
   *   kind, `unsupported-version` when a later version wrote it, `invalid-argument` for an option, `too-large`.
   */
  static async load(path: string, options: VectorIndexLoadOptions = {}): Promise<VectorIndex> {
    const { memoryMap = false, precision, threads = defaultThreads, kernels: given } = checkOptions("options", options);
    const kernels = givenKernels(given);
    if (precision !== undefined) checkOneOf("precision", precision, ["float32", "int8"]);
    checkThreads(threads);
    const loaded = await loadVectorIndex(path, { memoryMap, precision, threads, kernels });
    const { dimensions, similarity } = loaded.shape;
    const vectors = new Float32Array(0);
    const index = new VectorIndex({ dimensions, vectors, similarity, precision: loaded.shape.precision, kernels });
    index.dispose();
    index.#kernel = loaded.kernel;
    index.#rows = loaded.rows;
    index.#removed = loaded.removed;
    return index;
  }

  #open(): VectorIndexKernel {
    if (this.#kernel !== undefined) return this.#kernel;
    throw new KernelError("invalid-argument", "This index was disposed; make a new one.");
  }

  /** Frees the memory and ends the threads at once. A search afterwards is refused; to dispose twice does no harm. */
  dispose(): void {
    this.#kernel?.dispose();
    this.#kernel = undefined;
  }

  /** For `using index = new VectorIndex(…)`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
