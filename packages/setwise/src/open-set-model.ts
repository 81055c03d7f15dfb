import { type Problem, SetwiseError, shownName } from "@setwise/core";
import type { ToolIndex } from "@setwise/retriever";
import type { ModelChanges, SetModel, SetScorer } from "@setwise/set-scorer";
import { overlapProblems } from "./model-overlap.ts";
import type { TrainedModel } from "./train-from-log.ts";
import { choiceOfName, type EncoderChoice } from "./open-encoder.ts";

/** A set model: the file that `setwise train` wrote, what `selector.train` gave, or the model of it. */
export type ModelChoice = string | SetModel | TrainedModel;

/**
 * Reads the model of a file; it is loaded only where one is asked for, since most selectors have none.
 *
 * @throws SetwiseError `invalid-argument` for what is no model, and what `readSetModel` throws.
 */
export async function openSetModel(choice: ModelChoice | undefined): Promise<SetModel | undefined> {
  if (choice === undefined) return undefined;
  const { checkSetModel, readSetModel } = await import("@setwise/set-scorer");
  if (typeof choice === "string") return readSetModel(choice);
  const model = typeof choice === "object" && choice !== null && "model" in choice ? choice.model : choice;
  checkSetModel(model);
  return model;
}

/** The encoder that a model needs, where the caller names none and its name tells. */
export function encoderForModel(model: SetModel | undefined): EncoderChoice | undefined {
  return model === undefined ? undefined : choiceOfName(model.encoder);
}

/** A scorer for the tools of an index, and what became of the tools that the model knew. */
export interface FittedModel {
  /** `undefined` for a model that knows nothing but what the pipeline knows without it, which is then not asked. */
  readonly scorer: SetScorer | undefined;
  readonly changes: ModelChanges;
  /** Whether it knows few of the tools. */
  readonly problems: readonly Problem[];
  /** The cosine of the logged request nearest to a vector; for a model with a scorer, which frees its memory. */
  readonly nearestLogged?: (vector: Float32Array) => number;
}

/**
 * Brings a model to the tools of an index.
 *
 * @throws SetwiseError `invalid-argument` for an index without vectors, or of another encoder than the model's.
 */
export async function fitSetModel(model: SetModel, { catalog, embeddings }: ToolIndex): Promise<FittedModel> {
  if (embeddings === undefined) {
    throw new SetwiseError(
      "invalid-argument",
      `A set model compares meaning, but the tools are not encoded; choose the encoder it was trained with (${model.encoder}) in place of none.`,
    );
  }
  const { adaptSetModel, loggedQueryFinder, openSetScorer } = await import("@setwise/set-scorer");
  const { encoder, vectors: toolVectors } = embeddings;
  refuseOtherEncoder(model, encoder);
  const adapted = adaptSetModel(model, { catalog, encoder, toolVectors });
  const { changes } = adapted;
  const problems = overlapProblems(model, changes, catalog.tools.length);
  if (!hasLearned(model)) return { scorer: undefined, changes, problems };
  const scorer = openSetScorer(adapted.model);
  const logged = loggedQueryFinder(model.loggedQueries, model.queryDimensions);
  const dispose = (): void => {
    scorer.dispose();
    logged.dispose();
  };
  return { scorer: { ...scorer, dispose }, changes, problems, nearestLogged: logged.nearest };
}

/**
 * Says which encoder is to be chosen, where its name tells.
 *
 * @throws SetwiseError `invalid-argument` for a model of another encoder.
 */
export function refuseOtherEncoder(model: SetModel, encoder: string): void {
  if (typeof model?.encoder !== "string") {
    throw new SetwiseError(
      "invalid-argument",
      "Expected a set model, as `train` or `openSetModel` gives it, but it is none.",
    );
  }
  if (model.encoder === encoder) return;
  const needed = choiceOfName(model.encoder);
  const name = needed ?? shownName(model.encoder);
  const how = needed === undefined ? "Choose that encoder" : `Choose it (encoder: "${needed}", --encoder ${needed})`;
  throw new SetwiseError(
    "invalid-argument",
    `The set model was trained with the encoder ${name}, but the tools are encoded by ${choiceOfName(encoder) ?? shownName(encoder)}. ${how}, or train a model with this one.`,
  );
}

/**
 * Whether there is more in a model than the untrained ranking, whose sizes the pipeline knows better by the log's calibration: after 25 requests of
 * UltraTool all tools of 70 of 100 others were handed over, and 58 by the untrained model's sizes. When nothing fits is learned too, where the log tells.
 */
function hasLearned({ toolDimensions, coUse, knownSets, calibration }: SetModel): boolean {
  return (
    toolDimensions > 0 || coUse.values.length > 0 || knownSets.values.length > 0 || calibration.emptyScore !== undefined
  );
}
