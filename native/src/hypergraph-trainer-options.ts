import { checkCount, checkOneOf, outOfRange, wrongType } from "./check-arguments.ts";
import type { Alignment } from "./hyperedge-kernel.ts";
import {
  type NegativeSource,
  type SetRules,
  sources,
  type StagePlan,
  type Trained,
} from "./hypergraph-trainer-kernel.ts";
import { checkOptions } from "./read-options.ts";

/** From so many queries on the second of two rates and batches was better, measured on libraries of some 500 tools. */
const manyQueries = 8_000;
const fewRate = 1e-3;
const manyRate = 5e-3;
const fewBatch = 128;
const manyBatch = 256;
/** On top of a trained match, small steps; M begins at nothing and needs larger ones. */
const fewSetRate = 5e-4;
const manySetRate = 1e-3;
const defaultInteractionRate = 6e-3;
/** Held-out quality is flat from there on, and the schedule has come down. */
const defaultMatchEpochs = 10;
const defaultSetEpochs = 3;
/** The paper's share. */
const defaultWarmup = 0.06;
/** Tools that no query names stay where their texts are; without it they drift away and are found no more. */
const defaultAnchor = 0.01;
/** A few numbers that the others wait for. */
const featureRateFactor = 10;
/** Offsets have to come several units in a hundred steps. */
const defaultOffsetRate = 0.1;
/** Ten times more cost a set in twenty its exact match where sets recur, and gained nothing where they do not. */
const defaultRegularisation = 1e-4;
const defaultNegatives: Readonly<Record<NegativeSource, number>> = {
  uniform: 8,
  inBatch: 12,
  neighbours: 10,
  own: 20,
  size: 14,
};
/** A batch then touches some hundred tools in place of the library, which is what a step costs. */
const defaultUniformPool = 256;
/** Both of the paper: its hard neighbours, and its shortlist. */
const defaultNeighbours = 50;
const defaultOwn = 15;

const most = 1024;
const mostEpochs = 1_000_000;
const mostQueries = 2 ** 24;

/** A group of numbers that a stage can train. */
export type TrainedPart = "projection" | "embeddings" | "interactions" | "sizeOffsets" | "featureWeights";

const parts: readonly TrainedPart[] = ["projection", "embeddings", "interactions", "sizeOffsets", "featureWeights"];

/** What both stages have. */
export interface StageOptions {
  /** Epochs that the schedule is laid out for: the learning rate rises, then falls to 0 as half a cosine. More are refused. Default: 10 and 3. */
  readonly epochs?: number;
  /** Queries in a step. Default: 128, from 8,000 queries on 256. */
  readonly batch?: number;
  /** The share of all steps in which the rate rises. Default: 0.06. */
  readonly warmup?: number;
  /** Of P and Z. Default: 1e-3, from 8,000 queries on 5e-3; for the sets 5e-4 and 1e-3. */
  readonly learningRate?: number;
  /** Of the weights of features. Default: 10 × `learningRate`. */
  readonly featureRate?: number;
  /** AdamW's, of P, Z and M. Default: 0. */
  readonly weightDecay?: number;
  /**
   * μ of μ|z − z_text|², a query. Default: 0.01, for libraries of which many tools have few queries or none. Where all have many, 0 is better: with
   * 16,000 queries over 464 tools, recall at 5 of held-out queries was 93 against 87.
   */
  readonly anchor?: number;
  /** What is trained. Default: of the match `projection`, `embeddings`, `featureWeights`; of the sets all. */
  readonly train?: readonly TrainedPart[];
}

/** The match: which tools a query calls for, each by itself. */
export type MatchStageOptions = StageOptions;

/** The sets: which tools go together, and how many. */
export interface SetStageOptions extends StageOptions {
  /** Of M. Default: 6e-3. */
  readonly interactionRate?: number;
  /** Of c. Default: 0.1. */
  readonly offsetRate?: number;
  /** How the logits of members make up a set's alignment. Default: `sum`; `softmax` is the paper's, over raw logits. */
  readonly alignment?: Alignment;
  /** With `sum`: whether logits are logarithms of their softmax over the library. Default: true. */
  readonly logSoftmax?: boolean;
  /** Whether losses of a batch are averaged or, as in the paper, summed. The regulariser is added once. Default: `mean`. */
  readonly reduction?: "mean" | "sum";
  /** λ of λ Σ|M|². Default: 1e-4. */
  readonly regularisation?: number;
  /** η of η ρ (−log softmax(F) of the candidate that scores best); ρ is set by `setRewards`. Default: 0. */
  readonly selfTraining?: number;
  /** How many negatives of each source a query has. Default: 8 uniform, 12 in batch, 10 neighbours, 20 own, 14 size. */
  readonly negatives?: Partial<Readonly<Record<NegativeSource, number>>>;
  /** Tools of which the uniform sets of a batch are made; 0 for all. Default: 256. */
  readonly uniformPool?: number;
  /** Nearest neighbours under Z, listed anew each epoch, that can take a tool's place. Default: 50. */
  readonly neighbours?: number;
  /** How many of the tools that the model likes best, beside gold, can take a tool's place or join. Default: 15. */
  readonly own?: number;
}

/** The paper's n negatives: 50 % uniform, 30 % in batch, 20 % neighbours, by largest remainders, ties to the earlier. */
export function hysetNegatives(total: number): Record<NegativeSource, number> {
  checkCount("total", total, { least: 0, most });
  const shares = [50, 30, 20];
  const counts = shares.map((share) => Math.floor((share * total) / 100));
  const missing = total - counts.reduce((sum, count) => sum + count, 0);
  const byRemainder = [0, 1, 2].sort((a, b) => ((shares[b]! * total) % 100) - ((shares[a]! * total) % 100));
  for (const place of byRemainder.slice(0, missing)) counts[place] = counts[place]! + 1;
  const [uniform = 0, inBatch = 0, neighbours = 0] = counts;
  return { uniform, inBatch, neighbours, own: 0, size: 0 };
}

/** The stage of sets as the paper has it (HYSET, equations 2 to 10 and its defaults); made for 200,000 queries. */
export const hysetSetStage: SetStageOptions = Object.freeze({
  epochs: 10,
  batch: 32,
  learningRate: 1e-4,
  interactionRate: 1e-4,
  anchor: 0,
  train: ["projection", "embeddings", "interactions"],
  alignment: "softmax",
  reduction: "sum",
  regularisation: 0.01,
  selfTraining: 0.3,
  negatives: hysetNegatives(63),
  uniformPool: 0,
} as const);

/** The stage of sets, as a plan has it. */
export interface SetsPlan extends SetRules {
  readonly stage: StagePlan;
}

/** Reads the options of the match; `queries` is how many are trained on. */
export function planMatch(options: MatchStageOptions | undefined, queries: number): StagePlan {
  const { learningRate = queries < manyQueries ? fewRate : manyRate, ...others } = checkOptions("match", options ?? {});
  const { epochs = defaultMatchEpochs, train = ["projection", "embeddings", "featureWeights"], ...rest } = others;
  return planStage("match", { ...rest, epochs, train, learningRate }, queries);
}

/** Reads the options of the sets. */
export function planSets(options: SetStageOptions | undefined, queries: number): SetsPlan {
  const read = checkOptions("sets", options ?? {});
  const { alignment = "sum", logSoftmax = true, reduction = "mean", negatives = defaultNegatives } = read;
  const { regularisation = defaultRegularisation, selfTraining = 0, uniformPool = defaultUniformPool } = read;
  const { neighbours = defaultNeighbours, own = defaultOwn } = read;
  const { learningRate = queries < manyQueries ? fewSetRate : manySetRate } = read;
  const { epochs = defaultSetEpochs, train = parts } = read;
  checkOneOf("sets.alignment", alignment, ["sum", "softmax"]);
  checkOneOf("sets.reduction", reduction, ["mean", "sum"]);
  checkFlag("sets.logSoftmax", logSoftmax);
  checkAmount("sets.regularisation", regularisation);
  checkAmount("sets.selfTraining", selfTraining);
  checkCount("sets.uniformPool", uniformPool, { least: 0, most: 2 ** 20 });
  checkCount("sets.neighbours", neighbours, { least: 0, most });
  checkCount("sets.own", own, { least: 0, most });
  const given = checkOptions("sets.negatives", negatives);
  const counts = sources.map((source) => given[source] ?? 0);
  for (const [place, count] of counts.entries()) {
    checkCount(`sets.negatives.${sources[place]}`, count, { least: 0, most });
  }
  checkCount("sets.negatives together", counts.reduce((sum, count) => sum + count, 0), { least: 0, most }); // prettier-ignore
  return {
    stage: planStage("sets", { ...read, epochs, train, learningRate }, queries),
    alignment,
    logSoftmax,
    summed: reduction === "sum",
    negatives: counts,
    uniformPool,
    neighbours,
    own,
    regularisation,
    selfTraining,
  };
}

function planStage(
  name: string,
  options: SetStageOptions & Required<Pick<StageOptions, "epochs" | "train" | "learningRate">>,
  queries: number,
): StagePlan {
  const { epochs, train, learningRate, batch = queries < manyQueries ? fewBatch : manyBatch } = options;
  const { warmup = defaultWarmup, weightDecay = 0, anchor = defaultAnchor } = options;
  const { featureRate = featureRateFactor * learningRate, offsetRate = defaultOffsetRate } = options;
  const { interactionRate = defaultInteractionRate } = options;
  checkCount(`${name}.epochs`, epochs, { least: 1, most: mostEpochs });
  checkCount(`${name}.batch`, batch, { least: 1, most: mostQueries });
  const amounts = { learningRate, featureRate, offsetRate, interactionRate, weightDecay, anchor };
  for (const [key, value] of Object.entries(amounts)) checkAmount(`${name}.${key}`, value);
  if (!(warmup >= 0 && warmup <= 1)) throw outOfRange(`${name}.warmup`, "a number from 0 to 1", warmup);
  return { epochs, batch, warmup, ...amounts, trained: readTrained(`${name}.train`, train) };
}

function readTrained(name: string, train: readonly TrainedPart[]): Trained {
  if (!Array.isArray(train)) throw wrongType(name, "an array of parts", train);
  for (const part of train as readonly TrainedPart[]) checkOneOf(name, part, parts);
  const trains = (part: TrainedPart): boolean => train.includes(part);
  return {
    projection: trains("projection"),
    embeddings: trains("embeddings"),
    interactions: trains("interactions"),
    offsets: trains("sizeOffsets"),
    features: trains("featureWeights"),
  };
}

function checkAmount(name: string, value: number): void {
  if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) return;
  throw outOfRange(name, "a finite number of 0 or more", value);
}

function checkFlag(name: string, value: boolean): void {
  if (typeof value !== "boolean") throw wrongType(name, "a boolean", value);
}
