import {
  type ContenderName,
  developmentQueries,
  queryAt,
  type SetModel,
  trainSetModel,
  type TrainingData,
  type TrainingReport,
} from "@setwise/set-scorer";
import { SetwiseError } from "@setwise/core";
import { trainingData } from "../set-model-data.ts";
import type { SetModelTrial } from "../set-model-trials.ts";
import { type GoldQuery, openPools } from "./open-pools.ts";
import type { LabelledPool } from "./rival.ts";

const THREADS = 2;
/** The contender with every ingredient but M, which no large log kept. */
export const WHOLE: ContenderName = "match with known sets";

/** A trial that was trained on: every model that was compared, and the queries that constants are chosen and ways are measured on. */
export interface TrainedTrial {
  readonly data: TrainingData;
  readonly model: SetModel;
  readonly report: TrainingReport;
  /** Places of the development queries in the log. */
  readonly development: Uint32Array;
  readonly developmentQueries: readonly GoldQuery[];
  readonly testQueries: readonly GoldQuery[];
  readonly run: { readonly seed: number; readonly threads: number };
}

export interface TrainTrialOptions {
  readonly seed: number;
  readonly anchor?: number;
  /** Whether the features of the untrained pipeline are there; by default they are. */
  readonly hasFeatures?: boolean;
}

/** Trains on the log of a trial whose tools are all known when training. */
export async function trainTrial(
  trial: SetModelTrial,
  { seed, anchor, hasFeatures = true }: TrainTrialOptions,
): Promise<TrainedTrial> {
  const data = hasFeatures
    ? trainingData(trial.library, trial.train)
    : withoutFeatures(trainingData(trial.library, trial.train));
  const { splitBy = "queries" } = trial;
  const run = { seed, threads: THREADS };
  const { model, report } = await trainSetModel(data, { ...run, splitBy, ...(anchor === undefined ? {} : { anchor }) });
  const development = await developmentQueries(data.queries, data.queryVectors, { by: splitBy });
  const dimensions = model.queryDimensions;
  const tests = trial.tests.flatMap(({ queries }) => queries);
  return {
    data,
    model,
    report,
    run,
    development,
    developmentQueries: Array.from(development, (place) => ({
      query: queryAt(data, place, dimensions),
      gold: data.queries[place]!.tools,
    })),
    testQueries: tests.map((query) => ({ query: hasFeatures ? query : { ...query, features: {} }, gold: query.gold })),
  };
}

/** The model of a contender, calibrated. */
export function contender({ report }: TrainedTrial, name: ContenderName): SetModel {
  const found = report.contenders.find((one) => one.name === name);
  if (found !== undefined) return found.model;
  const names = report.contenders.map((one) => one.name).join(", ");
  throw new SetwiseError(
    "invalid-argument",
    `Expected a log that "${name}" can be learned from, but it gave only ${names}. Use a larger log.`,
  );
}

/** What a model says of the development and of the test queries. */
export function poolsOf(
  { developmentQueries: chosenOn, testQueries }: TrainedTrial,
  model: SetModel,
): { readonly development: readonly LabelledPool[]; readonly test: readonly LabelledPool[] } {
  return { development: openPools(model, chosenOn), test: openPools(model, testQueries) };
}

/** The same log with features that name no tool. */
function withoutFeatures(data: TrainingData): TrainingData {
  const offsets = new Uint32Array(data.queries.length + 1);
  return {
    ...data,
    features: data.features.map(({ name }) => ({
      name,
      offsets,
      tools: new Uint32Array(0),
      values: new Float32Array(0),
    })),
  };
}
