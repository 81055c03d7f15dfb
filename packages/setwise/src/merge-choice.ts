import { SetwiseError } from "@setwise/core";
import type { DecisionStore, MergeOptions } from "@setwise/merger";

/** Whether tools that do the same job are folded, and how. Vectors, tokens and the signal are the selector's own. */
export type MergeChoice = boolean | Omit<MergeOptions, "vectors" | "tokenCounter" | "signal" | "onProgress">;

/** How tools are folded, and what was decided so far: an update judges only pairs that are new. */
export interface OpenedMerge {
  readonly options: Exclude<MergeChoice, boolean>;
  readonly decisions: DecisionStore;
}

/** Checks what was chosen; `undefined` where tools stay as they are. */
export function openMerge(choice: MergeChoice | undefined): OpenedMerge | undefined {
  if (choice === undefined || choice === false) return undefined;
  if (choice !== true && (typeof choice !== "object" || choice === null)) {
    throw new SetwiseError(
      "invalid-argument",
      `merge must be true or an object of options, but it is ${String(choice)}.`,
    );
  }
  const options = choice === true ? {} : choice;
  return { options, decisions: options.decisions ?? new Map() };
}
