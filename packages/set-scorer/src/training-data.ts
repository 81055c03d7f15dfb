import { type Catalog, SetwiseError, shownName } from "@setwise/core";
import type { ToolFeature } from "@setwise/native";
import type { CleanQuery } from "./clean-log.ts";
import { checkSetModel } from "./model-fault.ts";
import type { SetModel } from "./set-model.ts";
import type { FeatureColumn, SetQuery } from "./set-scorer.ts";

/** A score of (query, tool) from outside, for each query a list of tools with their values; 0 for the others. */
export interface TrainingFeature {
  readonly name: string;
  /** Queries + 1: query i has the entries `offsets[i]` to `offsets[i + 1] − 1`. */
  readonly offsets: Uint32Array;
  /** Ordinals, each once a query. */
  readonly tools: Uint32Array;
  readonly values: Float32Array;
  /** What it counts to begin with (4, or 8 where sets are set aside). */
  readonly weight?: number;
}

/** What a model is trained from. Row i of everything belongs to query i. */
export interface TrainingData {
  readonly catalog: Catalog;
  /** The name of the encoder that made all vectors. */
  readonly encoder: string;
  /** Tools × d, rows of length 1 or 0. */
  readonly toolVectors: Float32Array;
  /** From {@link cleanLog}. */
  readonly queries: readonly CleanQuery[];
  /** Queries × d. */
  readonly queryVectors: Float32Array;
  /** The first is the score by which the untrained pipeline ranks: what is learned is compared with it. */
  readonly features: readonly TrainingFeature[];
  /** How many things each query asks for. */
  readonly requests?: Uint32Array;
  /** What is to be said of the log's licence in the model. */
  readonly licence?: string;
}

/**
 * That a model can be gone on from.
 *
 * @throws SetwiseError `invalid-argument` for a model of another encoder or of other tools.
 */
export function checkPrevious(from: SetModel, { encoder, catalog }: TrainingData, dimensions: number): void {
  if (!Array.isArray(from?.tools)) {
    throw new SetwiseError("invalid-argument", "Expected `from` to be a set model, but it is none. Leave it out.");
  }
  const same =
    from.tools.length === catalog.tools.length && catalog.tools.every(({ id }, at) => id === from.tools[at]?.id);
  if (from.encoder === encoder && from.queryDimensions === dimensions && same) {
    checkSetModel(from);
    return;
  }
  throw new SetwiseError(
    "invalid-argument",
    `Expected a model to go on from that reads vectors of ${shownName(encoder)} (${dimensions} numbers) and has the ${catalog.tools.length} tools of the catalog in their order, but got one of ${shownName(from.encoder)} (${from.queryDimensions} numbers) with ${from.tools.length} tools${same ? "" : ", others or in another order"}. Bring it to the catalog with adaptSetModel first; a model of another encoder cannot be gone on from.`,
  );
}

/** One query as a scorer takes it. */
export function queryAt(data: TrainingData, place: number, dimensions: number): SetQuery {
  const columns = data.features.map(({ name, offsets, tools, values }): [string, FeatureColumn] => {
    const [from, to] = [offsets[place]!, offsets[place + 1]!];
    return [name, { ids: tools.subarray(from, to), values: values.subarray(from, to) }];
  });
  return {
    vector: data.queryVectors.subarray(place * dimensions, (place + 1) * dimensions),
    features: Object.fromEntries(columns),
    requests: data.requests?.[place] ?? 1,
  };
}

/** Features as the trainer takes them. */
export function trainerFeatures({ features }: TrainingData, startWeight: number): Record<string, ToolFeature> {
  return Object.fromEntries(
    features.map(({ name, offsets, tools, values, weight = startWeight }) => [
      name,
      { offsets, tools, values, weight },
    ]),
  );
}
