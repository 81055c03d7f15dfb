import { type CutPolicy, SetwiseError } from "@setwise/core";
import { boundaryK } from "./boundary.ts";
import { checkTokens } from "./check-choice.ts";
import { chooseK, type ChooseKOptions } from "./choose-k.ts";
import { largestDrop } from "./largest-drop.ts";

/*
 * Rules that say how many of the scores, best first, to keep. The one over a distribution is the default of `chooseK`; the others are what
 * people know, to compare with or for scores of another kind.
 */

/** From the distribution over sets, for a goal: what `chooseK` does by itself. */
export function distributionPolicy(options: Omit<ChooseKOptions, "policy"> = {}): CutPolicy {
  return { name: `distribution:${options.goal ?? "complete"}`, cut: (scores) => chooseK(scores, options) };
}

/**
 * MagicSelector's dual boundary (equations 27 to 29): up to the largest drop of the scores, or of the similarities, whichever comes later.
 *
 * @param similarities Cosine of each tool's embedding with the next one's, length n − 1; without them the scores alone decide.
 */
export function boundaryPolicy(similarities?: Float32Array): CutPolicy {
  if (similarities?.every(Number.isFinite) === false)
    throw wrong("similarities must be finite numbers, but they are not");
  return {
    name: "boundary",
    cut(scores) {
      if (similarities !== undefined && similarities.length !== Math.max(scores.length - 1, 0)) {
        const expected = Math.max(scores.length - 1, 0);
        throw wrong(`similarities must have ${expected} entries, but it has ${similarities.length}`);
      }
      const k = boundaryK(scores, similarities);
      return {
        k,
        reason: `The largest drop of scores${similarities === undefined ? "" : " or similarities"} comes after ${k}.`,
      };
    },
  };
}

/** All scores of at least `least`. Only for scores that mean the same for every query. */
export function thresholdPolicy(least: number): CutPolicy {
  if (!Number.isFinite(least)) throw wrong(`a threshold must be a finite number, but it is ${least}`);
  return {
    name: "threshold",
    cut(scores) {
      const k = countWhile(scores, (score) => score >= least);
      return { k, reason: `${k} of ${scores.length} scores are at least ${least}.` };
    },
  };
}

/** Up to the largest drop from one score to the next, the first on ties; one alone is kept. */
export const gapPolicy: CutPolicy = {
  name: "gap",
  cut(scores) {
    const k = scores.length < 2 ? scores.length : largestDrop(scores);
    return { k, reason: `The largest drop of scores comes after ${k}.` };
  },
};

/**
 * As many of the first as cost `maxTokens` together. The first that does not fit ends the answer; the option `maxTokens` of `chooseK` passes it over
 * instead.
 *
 * @param tokens What each tool costs, length n.
 */
export function budgetPolicy(tokens: Uint32Array, maxTokens: number): CutPolicy {
  if (!Number.isInteger(maxTokens) || maxTokens < 0) {
    throw wrong(`maxTokens must be a whole number of at least 0, but it is ${maxTokens}`);
  }
  return {
    name: "budget",
    cut(scores) {
      checkTokens(tokens, scores.length);
      let spent = 0;
      const k = countWhile(tokens, (cost) => (spent += cost) <= maxTokens);
      return { k, reason: `The first ${k} fit into ${maxTokens} tokens.` };
    },
  };
}

/** Always `k`, or all where there are fewer. */
export function fixedPolicy(k: number): CutPolicy {
  if (!Number.isInteger(k) || k < 0) throw wrong(`k must be a whole number of at least 0, but it is ${k}`);
  return {
    name: "fixed",
    cut: (scores) => ({ k: Math.min(k, scores.length), reason: `${k} were asked for, whatever the scores.` }),
  };
}

function countWhile(values: Iterable<number>, holds: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) {
    if (!holds(value)) break;
    count++;
  }
  return count;
}

function wrong(text: string): SetwiseError {
  return new SetwiseError("invalid-argument", `${text}.`);
}
