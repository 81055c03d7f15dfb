import { noCoUse } from "./co-use.ts";
import { meanFigures } from "./figures.ts";
import { noKnownSets } from "./known-sets.ts";
import { type SetModel, toolHash } from "./set-model.ts";
import type { TrainingData } from "./training-data.ts";

/** M, the largest set: the paper's. */
export const MAX_SIZE = 5;
/** What a feature counts before it is learned. */
const UNTRAINED_WEIGHT = 15;

/** A model that ranks by the first feature alone. */
export function untrainedModel(data: TrainingData, dimensions: number): SetModel {
  const nothing = new Float32Array(0);
  const zero = meanFigures([]);
  return {
    encoder: data.encoder,
    queryDimensions: dimensions,
    toolDimensions: 0,
    maxSize: MAX_SIZE,
    tools: data.catalog.tools.map((tool) => ({ id: tool.id, hash: toolHash(tool) })),
    embeddings: nothing,
    projection: nothing,
    textProjection: nothing,
    interactions: nothing,
    coUse: noCoUse,
    knownSets: noKnownSets,
    loggedQueries: nothing,
    features: data.features.slice(0, 1).map(({ name, weight = UNTRAINED_WEIGHT }) => ({ name, weight })),
    calibration: {
      matchScale: 1,
      pairScale: 0,
      coUseScale: 0,
      knownSetScale: 0,
      sizeOffsets: Array.from({ length: MAX_SIZE }, () => 0),
      requestSlopes: Array.from({ length: MAX_SIZE }, () => 0),
      emptyScore: undefined,
    },
    facts: {
      catalogRevision: data.catalog.revision,
      trainingDataHash: "",
      queries: 0,
      developmentQueries: 0,
      development: { untrained: zero, model: zero, calibrationError: 0 },
      seed: 0,
    },
  };
}
