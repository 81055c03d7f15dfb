import { HypergraphTrainer, type HypergraphTrainerWeights, type TrainingEpoch } from "@setwise/native";
import { type FigureRow, figuresOf, meanFigures, worthOf } from "./figures.ts";
import { MANY, matchEpochs, PATIENCE, plans, SET_EPOCHS } from "./match-plan.ts";
import type { RankingFigures } from "./set-model.ts";
import type { SplitBy } from "./split-log.ts";
import { checkEpoch, checkNoneLeft, type TrainingCheckpoint } from "./training-checkpoint.ts";
import { type TrainingData, trainerFeatures } from "./training-data.ts";

/*
 * The two stages: the match until development queries no longer gain, then the sets on top of the best epoch.
 */

/** An epoch has about so many steps or more, so that small logs are learned from as well … */
const STEPS = 20;
/** … with batches between these. */
const LEAST_BATCH = 8;
const MOST_BATCH = 128;
const MANY_BATCH = 256;

/** Which stage is at work, and how far it is. */
export interface TrainingProgress {
  readonly stage: "match" | "sets" | "calibration";
  readonly epoch: number;
  readonly ofEpochs: number;
  /** Of the epoch, 0..1. */
  readonly share: number;
  readonly loss: number;
  /** After a whole epoch of the match: its figures on the development queries. */
  readonly development?: RankingFigures;
}

/** Weights to go on from. */
export type StageStart = Pick<HypergraphTrainerWeights, "projection" | "embeddings" | "featureWeights">;

export interface StageOptions {
  readonly dimensions: number;
  readonly development: Uint32Array;
  readonly splitBy: SplitBy;
  readonly seed: number;
  readonly threads: number;
  readonly maxSize: number;
  readonly toolDimensions: number | undefined;
  readonly anchor: number | undefined;
  readonly weights: StageStart | undefined;
  readonly resume: TrainingCheckpoint | undefined;
  readonly onProgress: (progress: TrainingProgress) => void;
  readonly onCheckpoint: ((checkpoint: TrainingCheckpoint) => void | Promise<void>) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What the stages learned. */
export interface StageResults {
  /** After the best epoch of the match. */
  readonly match: HypergraphTrainerWeights;
  /** After the sets; `undefined` where no set of two or more is in the log. */
  readonly sets: HypergraphTrainerWeights | undefined;
  /** A number was NaN or infinite: the stage ended before. */
  readonly stopped: "match" | "sets" | undefined;
}

/** Trains both stages. */
export async function trainStages(data: TrainingData, options: StageOptions): Promise<StageResults> {
  const { resume } = options;
  const trainer = openTrainer(data, options);
  try {
    if (resume !== undefined) {
      // Both are looked at before any work.
      trainer.restore(resume.best);
      trainer.restore(resume.current);
    }
    const { best, stopped } =
      resume?.stage === "sets" ? { best: resume.best, stopped: false } : await match(trainer, data, options);
    const matchWeights = (): HypergraphTrainerWeights => {
      trainer.restore(best);
      return trainer.weights();
    };
    if (!data.queries.some(({ tools }) => tools.length > 1 && tools.length <= options.maxSize)) {
      return { match: matchWeights(), sets: undefined, stopped: stopped ? "match" : undefined };
    }
    if (resume?.stage !== "sets") trainer.restore(best);
    const broke = await sets(trainer, best, options);
    const weights = broke ? undefined : trainer.weights();
    return { sets: weights, match: matchWeights(), stopped: stopped ? "match" : broke ? "sets" : undefined };
  } finally {
    trainer.dispose();
  }
}

function openTrainer(data: TrainingData, options: StageOptions): HypergraphTrainer {
  const { dimensions, development, seed, threads, maxSize, toolDimensions, weights, splitBy } = options;
  const plan = plans[splitBy];
  const offsets = new Uint32Array(data.queries.length + 1);
  for (const [place, { tools }] of data.queries.entries()) offsets[place + 1] = offsets[place]! + tools.length;
  const gold = new Uint32Array(offsets[data.queries.length]!);
  for (const [place, { tools }] of data.queries.entries()) gold.set(tools, offsets[place]);
  return new HypergraphTrainer({
    queryDimensions: dimensions,
    ...(toolDimensions === undefined ? {} : { toolDimensions: Math.min(toolDimensions, dimensions) }),
    toolVectors: data.toolVectors,
    queries: {
      vectors: data.queryVectors,
      gold: { offsets, tools: gold },
      features: trainerFeatures(data, plan.featureWeight),
      weights: Float64Array.from(data.queries, ({ weight }) => weight),
    },
    development,
    maxSize,
    ...(weights === undefined ? {} : { weights }),
    match: {
      epochs: plan.epochs,
      anchor: options.anchor ?? plan.anchor,
      learningRate: data.queries.length < MANY ? plan.fewRate : plan.manyRate,
      batch: batchFor(data.queries.length - development.length),
    },
    sets: { epochs: SET_EPOCHS },
    seed,
    threads,
  });
}

/** A power of two. */
function batchFor(queries: number): number {
  const wanted = 2 ** Math.floor(Math.log2(Math.max(1, queries / STEPS)));
  return Math.max(LEAST_BATCH, Math.min(wanted, queries < MANY ? MOST_BATCH : MANY_BATCH));
}

/** The match; gives the state after its best epoch, by what development queries gain. */
async function match(
  trainer: HypergraphTrainer,
  data: TrainingData,
  options: StageOptions,
): Promise<{ readonly best: Uint8Array; readonly stopped: boolean }> {
  const { resume, onProgress, onCheckpoint, signal } = options;
  const ofEpochs = matchEpochs(options.splitBy);
  const development = options.development.filter((place) => data.queries[place]!.tools.length > 0);
  const figures = (): FigureRow[] => matchFigures(trainer, data, development);
  let best = resume?.best ?? trainer.save();
  let bestWorth = resume?.bestWorth ?? worth(figures());
  let waited = resume?.waited ?? 0;
  for (let done = resume?.epochs ?? 0; done < ofEpochs && waited < PATIENCE; done++) {
    const epoch = await trainer.matchEpochAsync({
      ...(signal === undefined ? {} : { signal }),
      onProgress: (now) => {
        checkEpoch(now.epoch, done + 1);
        onProgress(progressOf(now, ofEpochs));
      },
    });
    checkEpoch(epoch.epoch, done + 1);
    if (epoch.stopped !== undefined) return { best, stopped: true };
    const rows = figures();
    const isBetter = worth(rows) > bestWorth;
    const current = isBetter || onCheckpoint !== undefined ? trainer.save() : best;
    if (isBetter) [best, bestWorth, waited] = [current, worth(rows), 0];
    else waited++;
    onProgress({ ...progressOf(epoch, ofEpochs), development: meanFigures(rows) });
    await onCheckpoint?.({ stage: "match", epochs: done + 1, bestWorth, waited, current, best });
  }
  return { best, stopped: false };
}

/** The sets; whether a number was not finite. */
async function sets(trainer: HypergraphTrainer, best: Uint8Array, options: StageOptions): Promise<boolean> {
  const { resume, onProgress, onCheckpoint, signal } = options;
  const start = resume?.stage === "sets" ? resume.epochs : 0;
  if (start === SET_EPOCHS) checkNoneLeft(() => trainer.setEpoch());
  for (let done = start; done < SET_EPOCHS; done++) {
    const epoch = await trainer.setEpochAsync({
      ...(signal === undefined ? {} : { signal }),
      onProgress: (now) => {
        checkEpoch(now.epoch, done + 1);
        onProgress(progressOf(now, SET_EPOCHS));
      },
    });
    checkEpoch(epoch.epoch, done + 1);
    if (epoch.stopped !== undefined) return true;
    if (onCheckpoint === undefined) continue;
    await onCheckpoint({ stage: "sets", epochs: done + 1, bestWorth: 0, waited: 0, current: trainer.save(), best });
  }
  return false;
}

function progressOf({ stage, epoch, batches, ofBatches, loss }: TrainingEpoch, ofEpochs: number): TrainingProgress {
  return { stage, epoch, ofEpochs, share: batches / Math.max(1, ofBatches), loss };
}

function worth(rows: readonly FigureRow[]): number {
  return rows.reduce((sum, row) => sum + worthOf(row), 0) / Math.max(1, rows.length);
}

/** The figures of the first five by logit. */
function matchFigures(trainer: HypergraphTrainer, data: TrainingData, places: Uint32Array): FigureRow[] {
  const logits = trainer.logits(places);
  const tools = trainer.tools;
  return Array.from(places, (place, row) =>
    figuresOf(firstFive(logits.subarray(row * tools, (row + 1) * tools)), data.queries[place]!.tools),
  );
}

function firstFive(logits: Float32Array): Uint32Array {
  const best: number[] = [];
  for (let tool = 0; tool < logits.length; tool++) {
    if (best.length === 5 && !(logits[tool]! > logits[best[4]!]!)) continue;
    let place = best.length;
    while (place > 0 && logits[tool]! > logits[best[place - 1]!]!) place--;
    best.splice(place, 0, tool);
    if (best.length > 5) best.pop();
  }
  return Uint32Array.from(best);
}
