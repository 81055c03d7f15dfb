import type { Alignment } from "./hyperedge-kernel.ts";
import type { Precision } from "./vector-index-kernel.ts";

/** What is known of a model beside its rows. */
export interface HypergraphModelShape {
  /** d_r, numbers in a query. */
  readonly queryDimensions: number;
  /** d_z, numbers in a tool's embedding. */
  readonly toolDimensions: number;
  /** M. */
  readonly maxSize: number;
  readonly alignment: Alignment;
  /** c_1 … c_M, or empty for zeros. */
  readonly sizeOffsets: Float64Array;
  /** c_0, or NaN when the empty set takes no part. */
  readonly emptyScore: number;
  readonly precision: Precision;
  readonly threads: number;
}

/** The rows of a model: P z (N × d_r), z (N × d_z), and M_m z for m = 2 … M ((M − 1) × N × d_z). */
export interface HypergraphModelRows {
  readonly matchRows: Float32Array;
  readonly embeddings: Float32Array;
  readonly pairRows: Float32Array;
}

/** Which tools make up the pool of a query, all by tool. */
export interface PoolRequest {
  /** K_1. */
  readonly shortlist: number;
  /** K_pool. */
  readonly pool: number;
  readonly require: Uint32Array;
  readonly exclude: Uint32Array;
  readonly allow: Uint32Array | undefined;
}

/** Which sets of the pool may be answered, all by tool. */
export interface SetConstraints {
  readonly groupEnds: Uint32Array;
  readonly groupMembers: Uint32Array;
  /** N costs, or empty. */
  readonly tokens: Uint32Array;
  /** Infinity when there is no budget. */
  readonly maxTokens: number;
  readonly maxTools: number;
}

/** The columns of {@link HypergraphModelKernel.shortlist}; a query has room for max(shortlist, pool) + required tools. */
export interface ShortlistColumns {
  readonly ids: Uint32Array;
  readonly logits: Float32Array;
  readonly gains: Float32Array;
  /** How many a query has. */
  readonly counts: Uint32Array;
}

/** The columns of {@link HypergraphModelKernel.bestSets}. */
export interface SetColumns {
  readonly queryOffsets: Uint32Array;
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
  readonly scores: Float64Array;
}

/** The columns of {@link HypergraphModelKernel.rank}; `numbers` is as many gains as `ids` has room for, then as many scores. */
export interface RankColumns {
  readonly ids: Uint32Array;
  readonly numbers: Float64Array;
  readonly offsets: Uint32Array;
}

/** A pool as a problem over sets. */
export interface PoolProblem {
  /** Tools, ascending: K of them. */
  readonly ids: Uint32Array;
  /** l, K numbers. */
  readonly logits: Float64Array;
  /** G_2 … G_M, (M − 1) × K × K numbers, each matrix symmetric with zeros on its diagonal. */
  readonly pairScores: Float64Array;
}

/** The state behind one `HypergraphModel`; arguments were checked by the face, but for what depends on the numbers themselves. */
export interface HypergraphModelKernel {
  shortlist(queries: Float32Array, request: PoolRequest, columns: ShortlistColumns): void;
  /** Fills a problem, which has room for exactly these tools. */
  fillPool(ids: Uint32Array, logits: Float32Array, problem: PoolProblem): void;
  bestSets(
    queries: Float32Array,
    request: PoolRequest,
    constraints: SetConstraints,
    count: number,
    columns: SetColumns,
  ): void;
  rank(queries: Float32Array, request: PoolRequest, constraints: SetConstraints, columns: RankColumns): void;
  /** Copies rows from `first` on, as many as `target` holds: of the match rows (0), the embeddings (1), the pair rows of size m (m). */
  readRows(part: number, first: number, target: Float32Array): void;
  /** Frees the memory; no call follows. */
  dispose(): void;
}
