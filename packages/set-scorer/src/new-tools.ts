import type { SetModel } from "./set-model.ts";

/*
 * What training learned raises the logits of the tools that it saw, so that tools which came later stand behind them. How far a request is from all that were logged
 * tells how likely it is that it asks for something new:
 *
 * far = clamp((0.8 − cos of the nearest logged request) / 0.5), other = clamp((0.9 − cos) / 0.5), and with n the share of the catalog that is new to the model
 *   the first feature, by which the untrained pipeline ranks, counts 32 · n · far more, for every tool;
 *   all features count 1 + 2 · (1 − n)⁴ · other times for new tools,
 *   and all logits are divided by 1 + 4 · n · far: so much surer than on development queries they would sound, being told of things that development queries did not ask for.
 *
 * Near a logged request, and in a catalog without new tools, everything is as it was trained; far from all of them, and in a catalog that is mostly new, the untrained ranking decides.
 */

/** What is as near as this to a logged request is known … */
const NEAR = 0.8;
/** … what is nearer than this asks for the same … */
const SAME = 0.9;
/** … and so much farther there is nothing left of either. */
const WIDTH = 0.5;
/** What the first feature counts more where everything is new and far; trained features count about 3. */
const UNTRAINED_WEIGHT = 32;
/** What features of a new tool count more where it is the only one. */
const FAVOUR = 2;
/** What divides the logits more there. */
const DOUBT = 4;

/** What counts differently in one request. */
export interface NewToolWeights {
  /** Added to the weight of the first feature. */
  readonly moreOfFirst: number;
  /** What features of new tools are multiplied by. */
  readonly newTools: number;
  /** What logits are multiplied by. */
  readonly sharpness: number;
}

/** Share of the model's tools that training did not see. */
export function newShare({ tools }: SetModel): number {
  return tools.filter(({ isNew }) => isNew === true).length / Math.max(1, tools.length);
}

/** The weights of a request whose nearest logged one has this cosine, by {@link newShare}. */
export function newToolWeights(share: number, nearest: number): NewToolWeights {
  if (share === 0) return { moreOfFirst: 0, newTools: 1, sharpness: 1 };
  const beyond = (limit: number): number => Math.max(0, Math.min(1, (limit - nearest) / WIDTH));
  const far = beyond(NEAR);
  return {
    moreOfFirst: UNTRAINED_WEIGHT * share * far,
    newTools: 1 + FAVOUR * (1 - share) ** 4 * beyond(SAME),
    sharpness: 1 / (1 + DOUBT * share * far),
  };
}
