import type { HypergraphTrainerWeights } from "@setwise/native";
import { breathe } from "./breathe.ts";
import type { PairTerms } from "./calibrate.ts";
import { countCoUse } from "./co-use.ts";
import { countKnownSets } from "./known-sets.ts";
import { keepLoggedQueries } from "./logged-queries.ts";
import type { SetModel, SetModelTool } from "./set-model.ts";
import type { StageResults } from "./train-stages.ts";
import type { TrainingData } from "./training-data.ts";
import type { Trial } from "./trial.ts";
import { untrainedModel } from "./untrained-model.ts";

/** The match alone. */
export const plainTerms: PairTerms = { interactions: false, coUse: false, knownSets: false };

interface Learned {
  /** What was learned from. */
  readonly places: readonly number[];
  readonly dimensions: number;
  readonly tools: readonly SetModelTool[];
  readonly signal: AbortSignal | undefined;
}

/** Offers what the stages learned, from the plain to the rich. */
export async function offerLearned(
  trial: Trial,
  data: TrainingData,
  stages: StageResults,
  { places, dimensions, tools, signal }: Learned,
): Promise<void> {
  const sets = places.map((place) => data.queries[place]!.tools);
  const served = places.filter((place) => data.queries[place]!.tools.length > 0);
  const loggedQueries = keepLoggedQueries(data.queryVectors, dimensions, served);
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
