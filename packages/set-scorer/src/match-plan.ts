import type { SplitBy } from "./split-log.ts";

/** Epochs without a gain after which the match is done. */
export const PATIENCE = 3;
/** From so many queries on, rates and batches of large logs. */
export const MANY = 8_000;
/**
 * How the match is trained: what development queries of UltraTool and ToolLens spoke for. Where new combinations count (`sets`), tools are held near their
 * texts three hundred times more strongly: on ToolLens completeness at 5 of sets that were held out rose from 2.4 to 9, while known sets would lose
 * 13 points of completeness at 3.
 */
export const plans: Readonly<Record<SplitBy, MatchPlan>> = {
  queries: { epochs: 10, fewRate: 2e-3, manyRate: 8e-3, anchor: 3e-4, featureWeight: 4 },
  sets: { epochs: 6, fewRate: 2e-3, manyRate: 5e-3, anchor: 0.1, featureWeight: 8 },
};

export interface MatchPlan {
  readonly epochs: number;
  /** Of P and Z; `manyRate` from {@link MANY} queries on. */
  readonly fewRate: number;
  readonly manyRate: number;
  /** μ. */
  readonly anchor: number;
  /**
   * What a feature counts to begin with. With larger ones the match learns less, since features decide already (15 cost ToolLens 13 points of
   * completeness at 3); with 2 instead of 5, tools that were held out of training lost 4 points of completeness at 5.
   */
  readonly featureWeight: number;
}

/** Epochs of the sets. */
export const SET_EPOCHS = 3;

/** How many epochs the match is planned for. */
export function matchEpochs(splitBy: SplitBy): number {
  return plans[splitBy].epochs;
}
