import type { Encoder, TokenCounter } from "@setwise/core";
import { type EncoderChoice, openEncoder } from "./open-encoder.ts";
import { openReranker, type Reranker, type RerankerChoice } from "./open-reranker.ts";
import { tellingCuts, type TextCut } from "./text-cuts.ts";

export interface SettingOptions {
  /** How meaning is compared; `static` by default. */
  readonly encoder?: EncoderChoice;
  /** Puts the first 50 candidates of each query in its own order; none by default. A folder's model is opened at the first `select`. */
  readonly reranker?: RerankerChoice;
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
  choice: EncoderChoice,
  { reranker: rerankerChoice, onCut, signal, tokenCounter }: SettingOptions,
): Promise<SelectorSetting> {
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
  return { encoder, reranker, tokenCounter, cuts };
}
