import { HypergraphTrainer, type HypergraphTrainerOptions, type SetStageOptions } from "@setwise/native";
import type { SetModel, TrainingData } from "@setwise/set-scorer";

export interface TrainSetsOptions {
  readonly interactions: NonNullable<HypergraphTrainerOptions["interactions"]>;
  readonly stage: SetStageOptions;
  /** Queries that are not trained on. */
  readonly development: Uint32Array;
  readonly seed: number;
  readonly threads: number;
}

/** The stage of sets on top of a trained match: the model with what P, Z, the weights of features and M have become. */
export async function trainSets(
  data: TrainingData,
  match: SetModel,
  { interactions, stage, ...run }: TrainSetsOptions,
): Promise<SetModel> {
  const weightOf = new Map(match.features.map(({ name, weight }) => [name, weight]));
  const offsets = new Uint32Array(data.queries.length + 1);
  for (const [place, { tools }] of data.queries.entries()) offsets[place + 1] = offsets[place]! + tools.length;
  const tools = Uint32Array.from(data.queries.flatMap((query) => [...query.tools]));
  const trainer = new HypergraphTrainer({
    ...run,
    queryDimensions: match.queryDimensions,
    toolDimensions: match.toolDimensions,
    toolVectors: data.toolVectors,
    queries: {
      vectors: data.queryVectors,
      gold: { offsets, tools },
      features: Object.fromEntries(
        data.features.map(({ name, weight: _weight, ...lists }) => [
          name,
          { ...lists, weight: weightOf.get(name) ?? 0 },
        ]),
      ),
    },
    maxSize: match.maxSize,
    interactions,
    weights: { projection: match.projection, embeddings: match.embeddings },
    sets: stage,
  });
  try {
    for (let epoch = 0; epoch < (stage.epochs ?? 0); epoch++) await trainer.setEpochAsync();
    const { projection, embeddings, featureWeights, interactions: learned } = trainer.weights();
    const features = match.features.map(({ name }) => ({ name, weight: featureWeights[name] ?? 0 }));
    return { ...match, projection, embeddings, features, interactions: learned };
  } finally {
    trainer.dispose();
  }
}
