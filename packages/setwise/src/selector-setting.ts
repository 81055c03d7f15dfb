import type { Calibration } from "@setwise/adaptive-k";
import { type Encoder, SetwiseError, type TokenCounter } from "@setwise/core";
import type { GivenEdge } from "@setwise/planner";
import type { SetModel } from "@setwise/set-scorer";
import { type EncoderChoice, openEncoder } from "./open-encoder.ts";
import { encoderForModel, type ModelChoice, openSetModel } from "./open-set-model.ts";
import { calibrationOf } from "./model-calibration.ts";
import { type MergeChoice, openMerge, type OpenedMerge } from "./merge-choice.ts";
import { openReranker, type Reranker, type RerankerChoice } from "./open-reranker.ts";
import { tellingCuts, type TextCut } from "./text-cuts.ts";

export interface SettingOptions {
  /** How meaning is compared; `static` by default. */
  readonly encoder?: EncoderChoice;
  /** Puts the first 50 candidates of each query in its own order; none by default. A folder's model is opened at the first `select`. */
  readonly reranker?: RerankerChoice;
  /** A trained set model: its file, or what `train` gave. It needs the encoder it was trained with; it and a re-ranker exclude each other. */
  readonly model?: ModelChoice;
  /**
   * Folds tools that do the same job into one; `true`, or how (see `mergeTools` of `@setwise/merger`). A call of a tool that was handed out becomes
   * one of yours by `selector.resolve`.
   */
  readonly merge?: MergeChoice;
  /**
   * What a person, a document or a log says of which tool brings what another needs; for `plan` and `support: "auto"`, above what is
   * predicted. See `readEdges` of `@setwise/planner` for a file of them.
   */
  readonly edges?: readonly GivenEdge[];
  /** What `calibrate` of `@setwise/adaptive-k` made of a log, as `train` gives it: sizes and refusals as the log has them; by default those of `model`. */
  readonly calibration?: Calibration;
  /** Told how many of the tools are encoded, where that takes longer. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Told of each text, of a tool or a query, of which the encoder reads only the beginning, as it is encoded. */
  readonly onCut?: (cut: TextCut) => void;
  /** Stops the encoding of tools. */
  readonly signal?: AbortSignal;
  /** Counts what a definition costs a prompt; an estimate by default. */
  readonly tokenCounter?: TokenCounter;
}

/** What stays when the tools change. */
export interface SelectorSetting {
  readonly encoder: Encoder | undefined;
  readonly reranker: Reranker | undefined;
  readonly model: SetModel | undefined;
  readonly calibration: Calibration | undefined;
  readonly merge: OpenedMerge | undefined;
  readonly edges: readonly GivenEdge[];
  readonly tokenCounter: TokenCounter | undefined;
  readonly cuts: HeardCuts;
}

/** The texts of tools that were cut since an encoding began during which there was always one. */
export interface HeardCuts {
  readonly texts: Set<string>;
  /** Encodings under way. */
  running: number;
}

/** Opens what was chosen; a re-ranker only when it is needed. */
export async function openSetting(
  given: EncoderChoice | undefined,
  {
    reranker: rerankerChoice,
    model: modelChoice,
    calibration: givenCalibration,
    merge: mergeChoice,
    edges: givenEdges,
    onCut,
    signal,
    tokenCounter,
  }: SettingOptions,
): Promise<SelectorSetting> {
  if (rerankerChoice !== undefined && modelChoice !== undefined) {
    throw new SetwiseError(
      "invalid-argument",
      "A set model and a re-ranker both put the candidates in their own order; give one of the two.",
    );
  }
  const merge = openMerge(mergeChoice);
  const edges = await openEdges(givenEdges);
  const model = await openSetModel(modelChoice);
  const calibration = givenCalibration ?? (model === undefined ? undefined : calibrationOf(model));
  const choice = given ?? encoderForModel(model) ?? "static";
  const reranker = rerankerChoice === undefined ? undefined : openReranker(rerankerChoice);
  const cuts: HeardCuts = { texts: new Set(), running: 0 };
  const opened = await openEncoder(choice, { signal });
  const encoder =
    opened === undefined
      ? undefined
      : tellingCuts(opened, (cut) => {
          if (cut.as === "document") cuts.texts.add(cut.text);
          onCut?.(cut);
        });
  return { encoder, reranker, model, calibration, merge, edges, tokenCounter, cuts };
}

async function openEdges(edges: unknown): Promise<readonly GivenEdge[]> {
  if (edges === undefined) return [];
  const { checkEdges } = await import("@setwise/planner");
  return checkEdges(edges, "edges");
}
