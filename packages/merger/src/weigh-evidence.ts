import type { Evidence } from "./pair-evidence.ts";

/**
 * log(p / (1 − p)) = START + Σ weight × evidence: logistic regression on labelled pairs that nothing rules out, fitted by
 * `merge --half fit` in apps/bench and rounded.
 */
const START = 1.7;

const WEIGHTS: Evidence = {
  strangeInName: -2.3,
  strangeInSentence: -0.9,
  strangeInLonger: -3.7,
  sharedNames: 1.7,
  missingArguments: -1.1,
  likeArguments: 1.2,
  alignedArguments: 1.7,
  changes: -0.5,
  noArguments: -1.1,
};

/** How likely two tools do the same job by what was counted, in 0..1. */
export function likelihood(evidence: Evidence): number {
  let logit = START;
  for (const name of Object.keys(WEIGHTS) as (keyof Evidence)[]) logit += WEIGHTS[name] * evidence[name];
  return 1 / (1 + Math.exp(-logit));
}
