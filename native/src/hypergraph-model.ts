import { allocateAnswer, AnswerColumns } from "./answer-columns.ts";
import {
  checkCount,
  checkDimensions,
  checkFinite,
  checkK,
  checkLength,
  checkOneOf,
  checkOrdinals,
  checkThreads,
  checkTyped,
  checkVectors,
} from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import type { Alignment } from "./hyperedge-kernel.ts";
import {
  checkSetConstraints,
  checkSetFunction,
  largestPool,
  readSetConstraints,
  mostSets,
  type SetConstraintOptions,
} from "./hyperedge-request.ts";
import { loadHypergraphModel, saveHypergraphModel } from "./hypergraph-model-file.ts";
import type {
  HypergraphModelKernel,
  HypergraphModelRows,
  HypergraphModelShape,
  PoolProblem,
  PoolRequest,
} from "./hypergraph-model-kernel.ts";
import type { Kernels } from "./kernels.ts";
import { createNativeHypergraphModel } from "./native/hypergraph-model.ts";
import { givenKernels } from "./open-kernels.ts";
import { projectRows } from "./project-rows.ts";
import { checkOptions, type Read } from "./read-options.ts";
import { createTypescriptHypergraphModel } from "./typescript/hypergraph-model.ts";
import { allocate } from "./typescript/matrix.ts";
import type { Precision } from "./vector-index-kernel.ts";

/** K_1 and K_pool of the paper. */
const defaultShortlist = 15;
const defaultPool = 20;
/** The best set is the usual question. */
const defaultCount = 1;
/** A third of the time of a query for a twelfth more memory; the answers are the same. */
const defaultPrecision: Precision = "int8";
/** One thread, so that nothing is started that was not asked for. */
const defaultThreads = 1;

/** How a model is held and searched. */
export interface HypergraphModelRunOptions {
  /** What scans read of match rows and embeddings; the answers are the same. Default: `int8`, which TypeScript kernels ignore. */
  readonly precision?: Precision;
  /** Threads that scans use, the calling one among them, 1 to 64. Default: 1. */
  readonly threads?: number;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/** What makes a set function of logits and pair scores. */
export interface HypergraphModelFunctionOptions {
  /** Default: `sum`. */
  readonly alignment?: Alignment;
  /** c_1 … c_M. Default: zeros. */
  readonly sizeOffsets?: Float64Array;
  /** c_0, the score of the empty set. Default: the empty set takes no part. */
  readonly emptyScore?: number;
}

/** A model of rows; d_r numbers in a query, d_z in a tool's embedding, N tools. */
export interface HypergraphModelOptions extends HypergraphModelRunOptions, HypergraphModelFunctionOptions {
  /** d_r. */
  readonly queryDimensions: number;
  /** d_z. */
  readonly toolDimensions: number;
  /** P z, N × d_r; copied. */
  readonly matchRows: Float32Array;
  /** Z, N × d_z; copied. */
  readonly embeddings: Float32Array;
  /** M_m z for m = 2 … M, (M − 1) × N × d_z; copied. */
  readonly pairRows: Float32Array;
  /** M, 1 to 8. */
  readonly maxSize: number;
}

/** The weights of a model. */
export interface HypergraphModelWeights extends HypergraphModelRunOptions, HypergraphModelFunctionOptions {
  /** d_z. */
  readonly toolDimensions: number;
  /** Z, N × d_z, row by row. */
  readonly embeddings: Float32Array;
  /** P, d_r × d_z, row by row. */
  readonly projection: Float32Array;
  /** M_2 … M_M, (M − 1) × d_z × d_z, each symmetric. Empty for M = 1. */
  readonly interactions: Float32Array;
}

/** How the pool of a query is made, by tool. */
export interface PoolOptions {
  /** K_1, how many tools of the largest logits. Default: 15. */
  readonly shortlist?: number;
  /** K_pool, how many tools in all. Default: 20. */
  readonly pool?: number;
  /** Tools that are in the pool besides. */
  readonly require?: Uint32Array;
  /** Tools that are not. */
  readonly exclude?: Uint32Array;
  /** The only tools that may be. Default: all. */
  readonly allow?: Uint32Array;
}

/** Pools as columns, one query behind the other: the shortlist by descending logit, required tools, the rest by descending gain. */
export interface ModelShortlists {
  /** Tools. */
  readonly ids: Uint32Array;
  /** l = r · P z. */
  readonly logits: Float32Array;
  /** The complementarity g that brought a tool in; NaN for the shortlist and for required tools. */
  readonly gains: Float32Array;
  /** Query q has the entries from `offsets[q]` to `offsets[q + 1]`. */
  readonly offsets: Uint32Array;
}

/** Which sets a model is asked for, by tool. */
export interface ModelSetOptions extends PoolOptions, SetConstraintOptions {
  /** How many sets a query. Default: 1. */
  readonly count?: number;
}

/** How a model is asked to rank, by tool. */
export interface ModelRankOptions extends PoolOptions, SetConstraintOptions {
  /** How many tools a query at most. Default: the pool. */
  readonly k?: number;
}

/** Sets as columns, best first, one query behind the other. */
export interface ModelSets {
  /** Query q has the sets from `queryOffsets[q]` to `queryOffsets[q + 1]`. */
  readonly queryOffsets: Uint32Array;
  /** Set s has the members from `offsets[s]` to `offsets[s + 1]`. */
  readonly offsets: Uint32Array;
  /** Tools, ascending in a set. */
  readonly members: Uint32Array;
  /** F of each set. */
  readonly scores: Float64Array;
}

/** Rankings as columns, one query behind the other. */
export interface ModelRankings {
  /** Tools, first chosen first. */
  readonly ids: Uint32Array;
  /** How much each raised the score. */
  readonly gains: Float64Array;
  /** F of the tools up to each. */
  readonly scores: Float64Array;
  /** Query q has the entries from `offsets[q]` to `offsets[q + 1]`. */
  readonly offsets: Uint32Array;
}

/**
 * HYSET's model, ready to be asked: it holds P z and M_m z of every tool, so that a query costs inner products only. One call
 * answers a query or a batch of them (queries × d_r numbers).
 *
 * Logits (equation 3) and pair scores (equation 2) are inner products in float64, in one fixed order, rounded to float32, and sets are
 * scored in float64: the answers are the same on every processor and in both implementations. Equal scores go to the lower tool.
 *
 * Call {@link HypergraphModel.dispose} when a model is no longer needed.
 */
export class HypergraphModel {
  readonly queryDimensions: number;
  readonly toolDimensions: number;
  /** N. */
  readonly tools: number;
  /** M. */
  readonly maxSize: number;
  readonly alignment: Alignment;
  readonly #shape: HypergraphModelShape;
  #kernel: HypergraphModelKernel | undefined;

  /**
   * @throws {KernelError} `invalid-argument` when an option has the wrong type or length, or a number is NaN or infinite;
   *   `too-large` when there is no memory for the rows.
   */
  constructor(options: HypergraphModelOptions) {
    const { queryDimensions, toolDimensions, matchRows, embeddings, pairRows } = checkOptions("options", options);
    const { maxSize, alignment, sizeOffsets, emptyScore } = options;
    const { precision = defaultPrecision, threads = defaultThreads, kernels } = options;
    const { addon, simd } = givenKernels(kernels);
    checkDimensions(queryDimensions);
    checkDimensions(toolDimensions);
    checkOneOf("precision", precision, ["float32", "int8"]);
    checkThreads(threads);
    const setFunction = checkSetFunction({ maxSize, alignment, sizeOffsets, emptyScore });
    const rows = checkRows({ queryDimensions, toolDimensions, maxSize, matchRows, embeddings, pairRows });
    this.#shape = { queryDimensions, toolDimensions, ...setFunction, precision, threads };
    this.queryDimensions = queryDimensions;
    this.toolDimensions = toolDimensions;
    this.tools = rows.embeddings.length / toolDimensions;
    this.maxSize = setFunction.maxSize;
    this.alignment = setFunction.alignment;
    this.#kernel =
      addon === undefined
        ? createTypescriptHypergraphModel(this.#shape, rows)
        : createNativeHypergraphModel(addon, simd, this.#shape, rows);
  }

  /**
   * Makes the rows of weights: N × d_r × d_z + (M − 1) × N × d_z × d_z multiplications, so save the model if it is large.
   *
   * @throws {KernelError} As the constructor does; an error that names `matchRows` or `pairRows` is about P z and M_m z.
   */
  static fromWeights(weights: HypergraphModelWeights): HypergraphModel {
    const { toolDimensions, projection, interactions, ...others } = checkOptions("weights", weights);
    const { embeddings: given, kernels: givenOnes, ...rest } = others;
    const kernels = givenKernels(givenOnes);
    checkDimensions(toolDimensions);
    const embeddings = checkVectors("embeddings", given, toolDimensions);
    const checkedProjection = checkVectors("projection", projection, toolDimensions);
    const square = toolDimensions * toolDimensions;
    const matrices = checkVectors("interactions", interactions, square);
    checkFinite("embeddings", embeddings);
    checkFinite("projection", checkedProjection);
    checkFinite("interactions", matrices);
    const maxSize = matrices.length / square + 1;
    const rows = { columns: toolDimensions, kernels };
    const pairRows = allocate((maxSize - 1) * embeddings.length);
    for (let m = 0; m < maxSize - 1; m += 1) {
      const matrix = matrices.subarray(m * square, (m + 1) * square);
      pairRows.set(projectRows(matrix, embeddings, rows), m * embeddings.length);
    }
    const matchRows = projectRows(checkedProjection, embeddings, rows);
    const queryDimensions = checkedProjection.length / toolDimensions;
    return new HypergraphModel({
      ...rest,
      kernels,
      queryDimensions,
      toolDimensions,
      matchRows,
      embeddings,
      pairRows,
      maxSize,
    });
  }

  /**
   * The pool of each query: the tools of the largest logits, and those that go best with them, `g(t_j) = max_{i ∈ S0} z_j · M_M z_i`
   * (HYSET, equation 13).
   *
   * @throws {KernelError} `invalid-argument` when an argument has the wrong type, length or range, or the model was disposed.
   */
  shortlist(queries: Float32Array, options: PoolOptions = {}): ModelShortlists {
    return this.#shortlist(queries, readPool(options));
  }

  #shortlist(queries: Float32Array, read: Read<PoolOptions>): ModelShortlists {
    const kernel = this.#open();
    const checked = checkVectors("queries", queries, this.queryDimensions);
    const request = this.#poolRequest(read);
    const asked = checked.length / this.queryDimensions;
    const room = roomOf(request);
    const ids = allocateAnswer(() => new Uint32Array(asked * room));
    const logits = allocateAnswer(() => new Float32Array(asked * room));
    const gains = allocateAnswer(() => new Float32Array(asked * room));
    const counts = new Uint32Array(asked);
    kernel.shortlist(checked, request, { ids, logits, gains, counts });
    const offsets = new Uint32Array(asked + 1);
    for (let query = 0; query < asked; query += 1) {
      const [from, to, count] = [query * room, offsets[query]!, counts[query]!];
      for (const column of [ids, logits, gains]) column.copyWithin(to, from, from + count);
      offsets[query + 1] = to + count;
    }
    const length = offsets[asked]!;
    return {
      ids: ids.subarray(0, length),
      logits: logits.subarray(0, length),
      gains: gains.subarray(0, length),
      offsets,
    };
  }

  /**
   * The pool of one query as {@link enumerateHyperedges} and {@link rankByMarginalGain} take it: tools ascending, their logits, and
   * `G_m[a, b] = z_a · M_m z_b`.
   *
   * @throws {KernelError} As {@link HypergraphModel.shortlist} does, and when there is not exactly one query.
   */
  problem(query: Float32Array, options: PoolOptions = {}): PoolProblem {
    const read = readPool(options);
    const kernel = this.#open();
    if (checkTyped("query", query, "Float32Array").length !== this.queryDimensions) {
      const text = `query: expected ${this.queryDimensions} numbers, got ${query.length}.`;
      throw new KernelError("invalid-argument", text);
    }
    const { ids, logits } = this.#shortlist(query, read);
    const problem: PoolProblem = allocateAnswer(() => ({
      ids: new Uint32Array(ids.length),
      logits: new Float64Array(ids.length),
      pairScores: new Float64Array((this.maxSize - 1) * ids.length ** 2),
    }));
    kernel.fillPool(ids, logits, problem);
    return problem;
  }

  /**
   * The exact best sets of each query's pool (HYSET, equation 14), by score, then smaller sets, then lexicographically smaller tools.
   * A query has none when the required tools cannot be had together.
   *
   * @throws {KernelError} As {@link HypergraphModel.shortlist} does.
   */
  bestSets(queries: Float32Array, options: ModelSetOptions = {}): ModelSets {
    const { count = defaultCount } = checkOptions("options", options);
    const read = readPool(options);
    const kernel = this.#open();
    const checked = checkVectors("queries", queries, this.queryDimensions);
    checkCount("count", count, { least: 0, most: mostSets });
    const asked = checked.length / this.queryDimensions;
    const sets = asked * count;
    const columns = new AnswerColumns(sets, asked + 1 + sets + 1 + sets * this.maxSize);
    const scores = columns.doubles(sets);
    const queryOffsets = columns.words(asked + 1);
    const offsets = columns.words(sets + 1);
    const members = columns.words(sets * this.maxSize);
    const constraints = checkSetConstraints(read, this.tools);
    const request = this.#poolRequest(read);
    kernel.bestSets(checked, request, constraints, count, { queryOffsets, offsets, members, scores });
    const found = queryOffsets[asked]!;
    return {
      queryOffsets,
      offsets: offsets.subarray(0, found + 1),
      members: members.subarray(0, offsets[found]!),
      scores: scores.subarray(0, found),
    };
  }

  /**
   * Ranks the tools of each query's pool by marginal gain; see {@link rankByMarginalGain}.
   *
   * @throws {KernelError} As {@link HypergraphModel.shortlist} does.
   */
  rank(queries: Float32Array, options: ModelRankOptions = {}): ModelRankings {
    const { k: most } = checkOptions("options", options);
    const read = readPool(options);
    const kernel = this.#open();
    const checked = checkVectors("queries", queries, this.queryDimensions);
    const request = this.#poolRequest(read);
    const constraints = checkSetConstraints(read, this.tools);
    const k = most ?? roomOf(request);
    checkK(k);
    const asked = checked.length / this.queryDimensions;
    const room = asked * Math.min(k, roomOf(request), constraints.maxTools);
    const columns = new AnswerColumns(2 * room, room + asked + 1);
    const numbers = columns.doubles(2 * room);
    const ids = columns.words(room);
    const offsets = columns.words(asked + 1);
    kernel.rank(checked, request, constraints, { ids, numbers, offsets });
    const count = offsets[asked]!;
    return {
      ids: ids.subarray(0, count),
      gains: numbers.subarray(0, count),
      scores: numbers.subarray(room, room + count),
      offsets,
    };
  }

  /**
   * Writes the model to a file in the safetensors format, aside and then renamed: tensors `matchRows`, `embeddings` and `pairRows`.
   *
   * @throws {KernelError} `unwritable-target` when it cannot be written; what was there before is untouched.
   */
  async save(path: string): Promise<void> {
    await saveHypergraphModel(path, { shape: this.#shape, tools: this.tools, kernel: () => this.#open() });
  }

  /**
   * Reads what {@link HypergraphModel.save} wrote.
   *
   * @throws {KernelError} `unreadable-source` when it cannot be read, `corrupt-file` when it is another file or damaged,
   *   `unsupported-version` when a later version wrote it, `invalid-argument` for an option.
   */
  static async load(path: string, options: HypergraphModelRunOptions = {}): Promise<HypergraphModel> {
    // Before the file is opened, so that it is not blamed for them.
    const { precision, threads = defaultThreads, kernels: given } = checkOptions("options", options);
    const kernels = givenKernels(given);
    if (precision !== undefined) checkOneOf("precision", precision, ["float32", "int8"]);
    checkThreads(threads);
    return loadHypergraphModel(path, (model) => {
      return new HypergraphModel({ ...model, precision: precision ?? model.precision, threads, kernels });
    });
  }

  /** Frees the memory at once. A query afterwards is refused; to dispose twice does no harm. */
  dispose(): void {
    this.#kernel?.dispose();
    this.#kernel = undefined;
  }

  /** For `using model = …`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #open(): HypergraphModelKernel {
    if (this.#kernel !== undefined) return this.#kernel;
    throw new KernelError("invalid-argument", "This model was disposed; make a new one.");
  }

  #poolRequest(options: Read<PoolOptions>): PoolRequest {
    const { shortlist = defaultShortlist, pool = defaultPool } = options;
    checkCount("shortlist", shortlist, { least: 0, most: largestPool });
    checkCount("pool", pool, { least: 0, most: largestPool });
    const require = checkOrdinals("require", options.require) ?? none;
    const request = {
      shortlist: Math.min(shortlist, this.tools),
      pool: Math.min(pool, this.tools),
      require,
      exclude: checkOrdinals("exclude", options.exclude) ?? none,
      allow: checkOrdinals("allow", options.allow),
    };
    checkCount("shortlist, pool and required tools together", roomOf(request), { least: 0, most: largestPool });
    return request;
  }
}

const none: Uint32Array = new Uint32Array(0);

/** The most tools that a pool can hold. */
function roomOf({ shortlist, pool, require }: PoolRequest): number {
  return Math.max(shortlist, pool) + require.length;
}

/** Reads how pools are made, and which sets of them may be answered. */
function readPool(options: PoolOptions & SetConstraintOptions): Read<PoolOptions & SetConstraintOptions> {
  const { shortlist, pool, allow } = checkOptions("options", options);
  return { shortlist, pool, allow, ...readSetConstraints(options) };
}

type RowOptions = "queryDimensions" | "toolDimensions" | "maxSize" | "matchRows" | "embeddings" | "pairRows";

function checkRows(options: Pick<HypergraphModelOptions, RowOptions>): HypergraphModelRows {
  const { queryDimensions, toolDimensions, maxSize } = options;
  const embeddings = checkVectors("embeddings", options.embeddings, toolDimensions);
  const tools = embeddings.length / toolDimensions;
  const matchRows = checkVectors("matchRows", options.matchRows, queryDimensions);
  checkLength("matchRows", matchRows, tools * queryDimensions, `${tools} × ${queryDimensions}`);
  const pairRows = checkVectors("pairRows", options.pairRows, toolDimensions);
  const shape = `(${maxSize} − 1) × ${tools} × ${toolDimensions}`;
  checkLength("pairRows", pairRows, (maxSize - 1) * embeddings.length, shape);
  return { matchRows, embeddings, pairRows };
}
