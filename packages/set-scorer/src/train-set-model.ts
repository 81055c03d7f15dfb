import { createHash } from "node:crypto";
import { refuseAborted } from "@setwise/core";
import type { HypergraphTrainerWeights } from "@setwise/native";
import type { PairTerms } from "./calibrate.ts";
import type { CleanQuery } from "./clean-log.ts";
import { countCoUse } from "./co-use.ts";
import { meanFigures } from "./figures.ts";
import { countKnownSets } from "./known-sets.ts";
import { keepLoggedQueries } from "./logged-queries.ts";
import type { SetModel } from "./set-model.ts";
import { developmentQueries, type SplitBy, suspectedPairs, type SuspectedPair } from "./split-log.ts";
import { textResidual } from "./text-row.ts";
import {
  type StageResults,
  type StageStart,
  type TrainingCheckpoint,
  type TrainingProgress,
  trainStages,
} from "./train-stages.ts";
import { checkTrainingData, type TrainingData } from "./training-data.ts";
import { type Contender, type ContenderName, Trial } from "./trial.ts";
import { MAX_SIZE, untrainedModel } from "./untrained-model.ts";

const DEFAULT_SEED = 1;
const DEFAULT_THREADS = 2;
/** With fewer queries to learn from, or to choose on, nothing is learned but the calibration. */
const LEAST_QUERIES = 20;
const LEAST_DEVELOPMENT = 8;
export interface TrainSetModelOptions {
  readonly onProgress?: (progress: TrainingProgress) => void;
  /** Stops between batches with `aborted`. */
  readonly signal?: AbortSignal;
  readonly seed?: number;
  /** They change no number. */
  readonly threads?: number;
  /** d_z, fewer dimensions than the encoder's for smaller models. */
  readonly toolDimensions?: number;
  /** What is set aside to choose on; `sets` where new combinations of tools matter more than those of the log. */
  readonly splitBy?: SplitBy;
  /** μ, how strongly tools are held at their texts; by default what served logs that are split so. */
  readonly anchor?: number;
  /** A model of the same encoder, brought to the catalog by `adaptSetModel`: training goes on from it, and it stays if it is better. */
  readonly from?: SetModel;
  /** A state that `onCheckpoint` gave for the same data and options: training goes on from there. */
  readonly resume?: TrainingCheckpoint;
  /** Called after each epoch with all that is needed to go on. */
  readonly onCheckpoint?: (checkpoint: TrainingCheckpoint) => void | Promise<void>;
}

/** What training found. */
export interface TrainingReport {
  readonly queries: number;
  readonly developmentQueries: number;
  /** In the order in which they were compared; the last that was kept is the model. */
  readonly contenders: readonly Contender[];
  readonly chosen: ContenderName;
  /** One sentence for a person. */
  readonly verdict: string;
  /** Nearly the same queries without a common tool: labels may be wrong. */
  readonly suspected: readonly SuspectedPair[];
  /** A number was NaN or infinite; what was learned before it is kept. */
  readonly stopped: "match" | "sets" | undefined;
}

/**
 * Learns from a log which tools a query calls for, which go together and how many, and keeps of it what development queries gain by: a paired bootstrap must
 * show it. Where nothing gains, the model that is returned ranks as the untrained pipeline does and has its probabilities calibrated only.
 *
 * The same data, options and seed give the same model to the last bit, whatever the threads.
 *
 * @throws SetwiseError `invalid-argument` for data that do not fit together, `aborted` when the signal fired.
 */
export async function trainSetModel(
  data: TrainingData,
  options: TrainSetModelOptions = {},
): Promise<{ readonly model: SetModel; readonly report: TrainingReport }> {
  const dimensions = checkTrainingData(data);
  const { splitBy = "queries", seed = DEFAULT_SEED, onProgress = () => undefined, signal, from } = options;
  refuseAborted(signal);
  const development = developmentQueries(data.queries, data.queryVectors, splitBy);
  const held = new Set(development);
  const places = [...data.queries.keys()].filter((place) => !held.has(place));
  const sets = places.map((place) => data.queries[place]!.tools);
  const chosen = new Trial(data, { dimensions, development, seed });
  chosen.offer("untrained", untrainedModel(data, dimensions), plainTerms);
  if (from !== undefined) chosen.offerReady("previous", from);
  const enough = sets.length >= LEAST_QUERIES && development.length >= LEAST_DEVELOPMENT;
  let stages: StageResults | undefined;
  if (enough) {
    stages = await untilAborted(
      signal,
      trainStages(data, {
        dimensions,
        development,
        splitBy,
        seed,
        threads: options.threads ?? DEFAULT_THREADS,
        maxSize: MAX_SIZE,
        toolDimensions: options.toolDimensions,
        anchor: options.anchor,
        weights: startOf(from, options.toolDimensions ?? dimensions),
        resume: options.resume,
        onProgress,
        onCheckpoint: options.onCheckpoint,
        signal,
      }),
    );
    onProgress({ stage: "calibration", epoch: 1, ofEpochs: 1, share: 0, loss: 0 });
    offerLearned(chosen, data, stages, places, dimensions);
  }
  const { model, name, contenders, rows, calibrationError } = chosen.result();
  const facts = {
    catalogRevision: data.catalog.revision,
    trainingDataHash: hashOf(data.queries),
    queries: data.queries.length,
    developmentQueries: development.length,
    development: {
      untrained: contenders[0]!.figures,
      model: meanFigures(rows),
      calibrationError,
    },
    seed,
    ...(data.licence === undefined ? {} : { licence: data.licence }),
  };
  const report: TrainingReport = {
    queries: data.queries.length,
    developmentQueries: development.length,
    contenders,
    chosen: name,
    verdict: verdictOf(contenders, name, enough, sets.length) + stoppedNote(stages?.stopped),
    suspected: suspectedPairs(data.queries, data.queryVectors),
    stopped: stages?.stopped,
  };
  return { model: { ...withTextProjection(model, data, sets, dimensions), facts }, report };
}

const plainTerms: PairTerms = { interactions: false, coUse: false, knownSets: false };

/** What work that a signal stops ends with: the signal's reason, as an error of ours. */
async function untilAborted<Result>(signal: AbortSignal | undefined, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    refuseAborted(signal);
    throw error;
  }
}

/** The weights to go on from, where the previous model has a match of the same dimensions. */
function startOf(from: SetModel | undefined, toolDimensions: number): StageStart | undefined {
  if (from === undefined || from.toolDimensions !== toolDimensions) return undefined;
  const { projection, embeddings, features } = from;
  const featureWeights = Object.fromEntries(features.map(({ name, weight }) => [name, weight]));
  return { projection, embeddings, featureWeights };
}

/** Offers what the stages learned, from the plain to the rich. */
function offerLearned(
  trial: Trial,
  data: TrainingData,
  stages: StageResults,
  places: readonly number[],
  dimensions: number,
): void {
  const sets = places.map((place) => data.queries[place]!.tools);
  const loggedQueries = keepLoggedQueries(data.queryVectors, dimensions, places);
  const learned = (weights: HypergraphTrainerWeights): SetModel => ({
    ...untrainedModel(data, dimensions),
    toolDimensions: weights.toolDimensions,
    projection: weights.projection,
    embeddings: weights.embeddings,
    features: data.features.map(({ name }) => ({ name, weight: weights.featureWeights[name] ?? 0 })),
    loggedQueries,
  });
  const match = learned(stages.match);
  const coUse = countCoUse(sets, data.catalog.tools.length);
  const knownSets = countKnownSets(sets);
  const evidence = trial.evidenceOf({ ...match, coUse, knownSets });
  trial.offer("match", match, plainTerms, evidence);
  trial.offer("match with co-use", { ...match, coUse }, { ...plainTerms, coUse: true }, evidence);
  trial.offer(
    "match with known sets",
    { ...match, coUse, knownSets },
    { ...plainTerms, coUse: true, knownSets: true },
    evidence,
  );
  if (stages.sets === undefined) return;
  const { interactions } = stages.sets;
  const all = { ...learned(stages.sets), coUse, knownSets, interactions };
  trial.offer("match with interactions", all, { interactions: true, coUse: true, knownSets: true });
}

/** The model with what leads from texts to rows, for tools that come later. */
function withTextProjection(
  model: SetModel,
  { toolVectors }: TrainingData,
  sets: readonly Uint32Array[],
  dimensions: number,
): SetModel {
  const { toolDimensions, embeddings } = model;
  if (toolDimensions === 0 || model.textProjection.length > 0) return model;
  const seen = Uint32Array.from(new Set(sets.flatMap((tools) => [...tools]))).sort();
  return { ...model, textProjection: textResidual(toolVectors, embeddings, { seen, dimensions, toolDimensions }) };
}

function stoppedNote(stopped: StageResults["stopped"]): string {
  return stopped === undefined
    ? ""
    : ` Training of the ${stopped} stopped at a number that was NaN or infinite; what was learned before it counts.`;
}

function hashOf(queries: readonly CleanQuery[]): string {
  const hash = createHash("sha256");
  for (const { text, tools, weight } of queries) hash.update(JSON.stringify([text, [...tools], weight])).update("\n");
  return hash.digest("hex");
}

function verdictOf(contenders: readonly Contender[], chosen: ContenderName, enough: boolean, training: number): string {
  if (!enough) {
    return `${training} queries are too few to learn from: the untrained ranking stays, with its probabilities calibrated.`;
  }
  const [first, last] = [contenders[0]!, contenders.findLast(({ kept }) => kept)!];
  if (chosen === "untrained") {
    return "Nothing that was learned is sure to be better than the untrained ranking: it stays, with its probabilities calibrated.";
  }
  const of = (share: number): string => (100 * share).toFixed(1);
  return `The ${chosen} was kept: recall at 5 ${of(first.figures.recall5)} → ${of(last.figures.recall5)} %, all tools among the first 5 ${of(first.figures.completeness5)} → ${of(last.figures.completeness5)} %, on development queries.`;
}
