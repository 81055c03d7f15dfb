import { checkDimensions, checkK, checkOneOf, checkOrdinals, checkVectors } from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import type { Kernels } from "./kernels.ts";
import { createNativeVectorIndex } from "./native/vector-index.ts";
import { defaultKernels } from "./open-kernels.ts";
import { createTypescriptVectorIndex } from "./typescript/vector-index.ts";
import type { Similarity, VectorIndexKernel } from "./vector-index-kernel.ts";

/** The similarity that needs no change of the vectors; over rows of length 1 it is the cosine. */
const defaultSimilarity: Similarity = "inner-product";

export interface VectorIndexOptions {
  /** Numbers in a vector, 1 to 65,536. */
  readonly dimensions: number;
  /** rows × dimensions finite numbers, row by row; copied. Its length may be 0: an empty index answers nothing. */
  readonly vectors: Float32Array;
  /** Default: `inner-product`. */
  readonly similarity?: Similarity;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

export interface VectorSearchOptions {
  /** The only rows that may be answered, by ordinal, in any order, doubles allowed. Default: all rows. */
  readonly allow?: Uint32Array;
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
 * Exact top-k over vectors in memory of its own (float32). Answers are the same to the last bit on every processor and in
 * both implementations: a score is the sum of the products in float64, in one fixed order, rounded to float32.
 *
 * Call {@link VectorIndex.dispose} when an index is no longer needed: the garbage collector would free it only after a turn
 * of the event loop.
 */
export class VectorIndex {
  readonly dimensions: number;
  /** Number of rows. */
  readonly size: number;
  readonly similarity: Similarity;
  #kernel: VectorIndexKernel | undefined;

  /**
   * @throws {KernelError} `invalid-argument` when an option has the wrong type or length, a number is NaN or infinite, or (for
   *   inner products) a row is longer than 2^62; `too-large` when there is no memory for the rows.
   */
  constructor(options: VectorIndexOptions) {
    const { dimensions, similarity = defaultSimilarity } = options;
    checkDimensions(dimensions);
    checkOneOf("similarity", similarity, ["inner-product", "cosine"]);
    const vectors = checkVectors("vectors", options.vectors, dimensions);
    this.dimensions = dimensions;
    this.size = vectors.length / dimensions;
    this.similarity = similarity;
    const { addon, simd } = options.kernels ?? defaultKernels();
    this.#kernel =
      addon === undefined
        ? createTypescriptVectorIndex(dimensions, vectors, similarity)
        : createNativeVectorIndex(addon, simd, dimensions, vectors, similarity);
  }

  /**
   * The best `k` rows for each query. `queries` holds queries × dimensions numbers; one query is a batch of one, no query has
   * no answers. Rows and queries of zeros score 0 against everything.
   *
   * @throws {KernelError} `invalid-argument` when an argument has the wrong type or length, `k` is no integer of 0 or more, a
   *   number is NaN or infinite, an ordinal names no row, or the index was disposed.
   */
  search(queries: Float32Array, k: number, options: VectorSearchOptions = {}): VectorMatches {
    if (this.#kernel === undefined) {
      throw new KernelError("invalid-argument", "This index was disposed; make a new one.");
    }
    const wanted = checkVectors("queries", queries, this.dimensions);
    checkK(k);
    const allow = checkOrdinals("allow", options.allow);
    const room = Math.min(k, this.size, allow?.length ?? Number.POSITIVE_INFINITY);
    const answers = (wanted.length / this.dimensions) * room;
    const ids = new Uint32Array(answers);
    const scores = new Float32Array(answers);
    const count = this.#kernel.search(wanted, room, allow, ids, scores);
    if (count === room) return { ids, scores, count };
    // `allow` named a row twice: what is left over is cut off, so that the columns hold answers only.
    const used = (answers / room) * count;
    return { ids: ids.slice(0, used), scores: scores.slice(0, used), count };
  }

  /** Frees the memory at once. A search afterwards is refused; to dispose twice does no harm. */
  dispose(): void {
    this.#kernel?.dispose();
    this.#kernel = undefined;
  }

  /** For `using index = new VectorIndex(…)`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
