import { answerInOrder, bestOn, placesByValue, type SetRival } from "./rival.ts";

/** Sizes that are tried, for every rival with a fixed one. */
export const fixedSizes: readonly number[] = [1, 2, 3, 4, 5];

/** Additive match: tools by log p, and of them always the first k. */
export const topK: SetRival = {
  name: "match, first k",
  fit(development) {
    const k = bestOn(development, fixedSizes, (size, pool) =>
      answerInOrder(pool, placesByValue(pool.evidence.logProbabilities), size),
    );
    return {
      constants: `k ${k}`,
      choose: (pool) => answerInOrder(pool, placesByValue(pool.evidence.logProbabilities), k),
    };
  },
};
