import { createHash } from "node:crypto";
import { refuseAborted, SetwiseError, shownName } from "@setwise/core";
import type { HypergraphTrainerWeights } from "@setwise/native";
import type { PairTerms } from "./calibrate.ts";
import type { CleanQuery } from "./clean-log.ts";
import { countCoUse } from "./co-use.ts";
import { countKnownSets } from "./known-sets.ts";
import { keepLoggedQueries } from "./logged-queries.ts";
import { type SetModel, type SetModelTool, toolHash } from "./set-model.ts";
import { developmentQueries, type SplitBy } from "./split-log.ts";
import { suspectedPairs, type SuspectedPair } from "./suspected-pairs.ts";
import { textResidual } from "./text-row.ts";
import {
  type StageResults,
  type StageStart,
  type TrainingCheckpoint,
  type TrainingProgress,
  trainStages,
} from "./train-stages.ts";
import { checkTrainingData, type TrainingData } from "./training-data.ts";
import { type Contender, type ContenderName, LEAST_COMPARED, Trial } from "./trial.ts";
import { MAX_SIZE, untrainedModel } from "./untrained-model.ts";

const DEFAULT_SEED = 1;
const DEFAULT_THREADS = 2;
/** With fewer queries to learn from nothing is learned but the calibration. */
const LEAST_QUERIES = 20;

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
  /**
   * A model of the same encoder, brought to the catalog by `adaptSetModel`: training goes on from it, and it stays, as it is, unless what is learned now is sure
   * to be better.
   */
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
 * @throws SetwiseError `invalid-argument` for data that do not fit together or a model of other tools to go on from, `aborted` when the signal fired.
 */
export async function trainSetModel(
  data: TrainingData,
  options: TrainSetModelOptions = {},
): Promise<{ readonly model: SetModel; readonly report: TrainingReport }> {
  const dimensions = checkTrainingData(data);
  const { splitBy = "queries", seed = DEFAULT_SEED, onProgress = () => undefined, signal, from } = options;
  refuseAborted(signal);
  if (from !== undefined) checkPrevious(from, data, dimensions);
  const development = developmentQueries(data.queries, data.queryVectors, splitBy);
  const held = new Set(development);
  const places = [...data.queries.keys()].filter((place) => !held.has(place));
  const sets = places.map((place) => data.queries[place]!.tools);
  const chosen = new Trial(data, { dimensions, development, seed });
  if (from !== undefined) chosen.offerReady("previous", from);
  chosen.offer("untrained", untrainedModel(data, dimensions), plainTerms);
  const enough = sets.length >= LEAST_QUERIES && development.length >= LEAST_COMPARED;
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
    await offerLearned(chosen, data, stages, { places, dimensions, tools: toolsAfter(data, sets, from), signal });
  }
  const { kept, contenders } = chosen.result();
  const report: TrainingReport = {
    queries: data.queries.length,
    developmentQueries: development.length,
    contenders,
    chosen: kept.name,
    verdict: verdictOf(contenders, kept, enough, sets.length) + stoppedNote(stages?.stopped),
    suspected: suspectedPairs(data.queries, data.queryVectors),
    stopped: stages?.stopped,
  };
  // It knows nothing of this log: what it was and what it was measured to be stays true of it.
  if (kept.name === "previous") return { model: kept.model, report };
  await breathe(signal);
  const facts = {
    catalogRevision: data.catalog.revision,
    trainingDataHash: hashOf(data.queries),
    queries: data.queries.length,
    developmentQueries: development.length,
    development: {
      untrained: untrainedOf(contenders).figures,
      model: kept.figures,
      calibrationError: chosen.heldOutError(),
    },
    seed,
    ...(data.licence === undefined ? {} : { licence: data.licence }),
  };
  return { model: { ...withTextProjection(kept.model, data, sets, dimensions), facts }, report };
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

/** @throws SetwiseError `invalid-argument` for a model of another encoder or of other tools. */
function checkPrevious(from: SetModel, { encoder, catalog }: TrainingData, dimensions: number): void {
  const same =
    from.tools.length === catalog.tools.length && catalog.tools.every(({ id }, at) => id === from.tools[at]?.id);
  if (from.encoder === encoder && from.queryDimensions === dimensions && same) return;
  throw new SetwiseError(
    "invalid-argument",
    `Expected a model to go on from that reads vectors of ${shownName(encoder)} (${dimensions} numbers) and has the ${catalog.tools.length} tools of the catalog in their order, but got one of ${shownName(from.encoder)} (${from.queryDimensions} numbers) with ${from.tools.length} tools${same ? "" : ", others or in another order"}. Bring it to the catalog with adaptSetModel first; a model of another encoder cannot be gone on from.`,
  );
}

/** The tools as the model will know them: what was new to the model there was, and serves no query that is learned from, is new still. */
function toolsAfter(
  { catalog }: TrainingData,
  sets: readonly Uint32Array[],
  from: SetModel | undefined,
): readonly SetModelTool[] {
  const seen = new Set(sets.flatMap((tools) => [...tools]));
  return catalog.tools.map((tool, ordinal) => ({
    id: tool.id,
    hash: toolHash(tool),
    ...(from?.tools[ordinal]?.isNew === true && !seen.has(ordinal) ? { isNew: true } : {}),
  }));
}

/** Lets others have their turn; then looks at the signal. */
async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  refuseAborted(signal);
}

interface Learned {
  /** What was learned from. */
  readonly places: readonly number[];
  readonly dimensions: number;
  readonly tools: readonly SetModelTool[];
  readonly signal: AbortSignal | undefined;
}

/** Offers what the stages learned, from the plain to the rich. */
async function offerLearned(
  trial: Trial,
  data: TrainingData,
  stages: StageResults,
  { places, dimensions, tools, signal }: Learned,
): Promise<void> {
  const sets = places.map((place) => data.queries[place]!.tools);
  const loggedQueries = keepLoggedQueries(data.queryVectors, dimensions, places);
  const learned = (weights: HypergraphTrainerWeights): SetModel => ({
    ...untrainedModel(data, dimensions),
    tools,
    toolDimensions: weights.toolDimensions,
    projection: weights.projection,
    embeddings: weights.embeddings,
    features: data.features.map(({ name }) => ({ name, weight: weights.featureWeights[name] ?? 0 })),
    loggedQueries,
  });
  const match = learned(stages.match);
  const coUse = countCoUse(sets, data.catalog.tools.length);
  const knownSets = countKnownSets(sets);
  await breathe(signal);
  const evidence = trial.evidenceOf({ ...match, coUse, knownSets });
  await breathe(signal);
  trial.offer("match", match, plainTerms, evidence);
  await breathe(signal);
  trial.offer("match with co-use", { ...match, coUse }, { ...plainTerms, coUse: true }, evidence);
  await breathe(signal);
  const all = { ...match, coUse, knownSets };
  trial.offer("match with known sets", all, { ...plainTerms, coUse: true, knownSets: true }, evidence);
  if (stages.sets === undefined) return;
  await breathe(signal);
  const withPairs = { ...learned(stages.sets), coUse, knownSets, interactions: stages.sets.interactions };
  trial.offer("match with interactions", withPairs, { interactions: true, coUse: true, knownSets: true });
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

function untrainedOf(contenders: readonly Contender[]): Contender {
  return contenders.find(({ name }) => name === "untrained")!;
}

function verdictOf(contenders: readonly Contender[], kept: Contender, enough: boolean, training: number): string {
  const stays = {
    previous: "the model that there was stays as it is",
    untrained: "the untrained ranking stays, with its probabilities calibrated",
  };
  if (kept.name === "previous" || kept.name === "untrained") {
    const why = enough
      ? "Nothing that was learned is sure to be better"
      : `${training} queries are too few to learn from`;
    return `${why}: ${stays[kept.name]}.`;
  }
  const { figures: before } = untrainedOf(contenders);
  const { figures: now } = kept;
  const of = (share: number): string => (100 * share).toFixed(1);
  return `The ${kept.name} was kept: recall at 5 ${of(before.recall5)} → ${of(now.recall5)} %, all tools among the first 5 ${of(before.completeness5)} → ${of(now.completeness5)} %, on development queries.`;
}
