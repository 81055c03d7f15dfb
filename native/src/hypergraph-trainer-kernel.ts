import type { Alignment } from "./hyperedge-kernel.ts";

/** Rows of different lengths: row i has the entries from `offsets[i]` to `offsets[i + 1]`, ascending. */
export interface Rows {
  readonly offsets: Uint32Array;
  readonly tools: Uint32Array;
}

/** A feature of (query, tool), 0 where it is not listed. */
export interface Channel extends Rows {
  readonly values: Float32Array;
}

/** What a trainer learns from. */
export interface TrainerProblem {
  /** d_r. */
  readonly queryDimensions: number;
  /** d_z. */
  readonly toolDimensions: number;
  /** N. */
  readonly tools: number;
  /** n. */
  readonly queries: number;
  /** N × d_z, where Z is held. */
  readonly anchors: Float32Array;
  /** n × d_r. */
  readonly vectors: Float32Array;
  readonly gold: Rows;
  readonly channels: readonly Channel[];
  /** One a query, or empty for 1. */
  readonly queryWeights: Float64Array;
  /** Queries that are trained on, ascending. */
  readonly training: Uint32Array;
}

/** Which groups of numbers a stage trains. */
export interface Trained {
  readonly projection: boolean;
  readonly embeddings: boolean;
  readonly interactions: boolean;
  readonly offsets: boolean;
  readonly features: boolean;
}

/** One stage of training. */
export interface StagePlan {
  readonly epochs: number;
  readonly batch: number;
  readonly warmup: number;
  readonly learningRate: number;
  readonly interactionRate: number;
  readonly offsetRate: number;
  readonly featureRate: number;
  readonly weightDecay: number;
  /** μ. */
  readonly anchor: number;
  readonly trained: Trained;
}

/** Where negatives come from, in this order everywhere. */
export const sources = ["uniform", "inBatch", "neighbours", "own", "size"] as const;

/** A source of negatives. */
export type NegativeSource = (typeof sources)[number];

/** What the candidates of sets are like, and the losses over them. */
export interface SetRules {
  readonly alignment: Alignment;
  readonly logSoftmax: boolean;
  readonly summed: boolean;
  /** How many negatives of each of {@link sources}. */
  readonly negatives: readonly number[];
  readonly uniformPool: number;
  readonly neighbours: number;
  readonly own: number;
  /** λ. */
  readonly regularisation: number;
  /** η. */
  readonly selfTraining: number;
}

/** How a trainer trains. */
export interface TrainerPlan extends SetRules {
  readonly seed: number;
  readonly threads: number;
  /** M. */
  readonly maxSize: number;
  readonly interactions: "none" | "shared" | "by-size";
  /** β₁, β₂, ε. */
  readonly moments: readonly [number, number, number];
  readonly matching: StagePlan;
  readonly sets: StagePlan;
}

/** How many interaction matrices a plan has. */
export function matricesOf({ interactions, maxSize }: TrainerPlan): number {
  if (interactions === "none") return 0;
  return interactions === "shared" ? Math.min(1, maxSize - 1) : maxSize - 1;
}

/** The numbers that are trained. */
export interface TrainerWeights {
  /** P, d_r × d_z. */
  readonly projection: Float32Array;
  /** Z, N × d_z. */
  readonly embeddings: Float32Array;
  /** Symmetric matrices of d_z × d_z. */
  readonly interactions: Float32Array;
  /** c_1 … c_M, then one weight a channel. */
  readonly small: Float64Array;
}

/** Candidate sets of the caller, those of a query one behind the other and gold first. */
export interface SetLists {
  /** Queries + 1: the sets of query i are `queries[i]` to `queries[i + 1]`. */
  readonly queries: Uint32Array;
  /** Sets + 1: the members of set s stand at `offsets[s]` to `offsets[s + 1]`. */
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
}

/** Where the numbers of a report stand; behind them five a source: drawn, missed, supersets, subsets, identical. */
export const reportPlaces = {
  batches: 0,
  allBatches: 1,
  queries: 2,
  skipped: 3,
  steps: 4,
  rateFactor: 5,
  loss: 6,
  retrieval: 7,
  selfTraining: 8,
  anchor: 9,
  regulariser: 10,
  goldFirst: 11,
  notFinite: 12,
  sources: 13,
} as const;

/** Numbers about a source in a report. */
export const sourceCounts = 5;

/** Numbers in a report. */
export const reportLength: number = reportPlaces.sources + sources.length * sourceCounts;

/** Where the numbers of a step over the caller's sets stand. */
export const stepPlaces = { loss: 0, retrieval: 1, selfTraining: 2, regulariser: 3, anchor: 4, finite: 5 } as const;

/** The match, or the sets. */
export type StageNumber = 1 | 2;

/** The state behind one `HypergraphTrainer`; arguments were checked by the face. */
export interface HypergraphTrainerKernel {
  /** Goes on with an epoch, or begins one, for at most so many batches, and fills the report of the epoch so far. */
  advance(stage: StageNumber, batches: number, report: Float64Array): void;
  /** The same while the event loop goes on. */
  advanceLater(stage: StageNumber, batches: number, report: Float64Array): Promise<void>;
  setStep(queries: Uint32Array, sets: SetLists, rateFactor: number, chosen: Uint32Array, results: Float64Array): void;
  setScores(queries: Uint32Array, sets: SetLists, scores: Float64Array): void;
  setRewards(rewards: Float64Array): void;
  /** n × N numbers. */
  logits(queries: Uint32Array, target: Float32Array): void;
  readWeights(weights: TrainerWeights): void;
  /** `reals` is P, Z, M, then their first and second moments; `doubles` c and w likewise, then stage, epoch, step, β₁ᵗ, β₂ᵗ. */
  writeCheckpoint(reals: Float32Array, doubles: Float64Array): void;
  readCheckpoint(reals: Float32Array, doubles: Float64Array): void;
  /** Frees the memory; no call follows. */
  dispose(): void;
}
