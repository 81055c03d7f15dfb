import { createHash } from "node:crypto";
import { refuseAborted } from "@setwise/core";
import { breathe } from "./breathe.ts";
import { checkTrainingData } from "./check-training-data.ts";
import { checkTrainingOptions } from "./check-training-options.ts";
import type { CleanQuery } from "./clean-log.ts";
import { offerLearned, plainTerms } from "./offer-learned.ts";
import { type SetModel, type SetModelTool, toolHash } from "./set-model.ts";
import { developmentQueries, type SplitBy } from "./split-log.ts";
import { suspectedPairs, type SuspectedPair } from "./suspected-pairs.ts";
import { textResidual } from "./text-rows.ts";
import { type StageResults, type StageStart, type TrainingProgress, trainStages } from "./train-stages.ts";
import type { TrainingCheckpoint } from "./training-checkpoint.ts";
import { checkPrevious, type TrainingData } from "./training-data.ts";
import { stoppedNote, unmeasuredNote, untrainedOf, verdictOf } from "./training-verdict.ts";
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
  /** Those that some tool serves, by which models were compared. Where it is 0 nothing was measured: the figures of the contenders are no figures. */
  readonly measuredOn: number;
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
 * show it. Where nothing gains, `from` is returned as it is; without it, a model that ranks as the untrained pipeline does and has its probabilities calibrated only.
 *
 * The same data, options and seed give the same model to the last bit with native kernels, whatever the threads and the processor. The TypeScript kernels do so among
 * themselves; between the two, weights agree to some parts in 10^4.
 *
 * @throws SetwiseError `invalid-argument` for data that do not fit together or options, or a model of other tools to go on from, `corrupt-file` for a checkpoint that is
 * damaged, `aborted` when the signal fired.
 */
export async function trainSetModel(
  data: TrainingData,
  options: TrainSetModelOptions = {},
): Promise<{ readonly model: SetModel; readonly report: TrainingReport }> {
  const dimensions = checkTrainingData(data);
  checkTrainingOptions(options);
  const { splitBy = "queries", seed = DEFAULT_SEED, onProgress = () => undefined, signal, from } = options;
  refuseAborted(signal);
  if (from !== undefined) checkPrevious(from, data, dimensions);
  const development = await developmentQueries(data.queries, data.queryVectors, { by: splitBy, signal });
  const held = new Set(development);
  const places = [...data.queries.keys()].filter((place) => !held.has(place));
  const sets = places.map((place) => data.queries[place]!.tools);
  const chosen = new Trial(data, { dimensions, development, seed });
  if (from !== undefined) chosen.offerReady("previous", from);
  // Nothing was learned of any tool: what was new still is.
  const untrained = { ...untrainedModel(data, dimensions), tools: toolsAfter(data, [], from) };
  chosen.offer("untrained", untrained, plainTerms);
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
    measuredOn: chosen.measuredOn,
    contenders,
    chosen: kept.name,
    verdict: `${verdictOf(contenders, kept, enough, sets.length)}${unmeasuredNote(chosen.measuredOn)}${stoppedNote(stages?.stopped)}`,
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
      ...(chosen.measuredOn === 0 ? { measured: false as const } : {}),
    },
    seed,
    ...(data.licence === undefined ? {} : { licence: data.licence }),
  };
  return { model: { ...withTextProjection(kept.model, data, sets, dimensions), facts }, report };
}

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

function hashOf(queries: readonly CleanQuery[]): string {
  const hash = createHash("sha256");
  for (const { text, tools, weight } of queries) hash.update(JSON.stringify([text, [...tools], weight])).update("\n");
  return hash.digest("hex");
}
