import type { LexicalEvidence } from "@setwise/core";

/*
 * P(∅ | words) when there is no encoder: Bayes' rule over three kinds of evidence. No lexical rule tried is a good gate
 * (docs/decisions/2026-11-30-nothing-fits.md), so this one refuses only what is plain: no word in common, or one word that
 * is a small part of the request.
 */

/** How much the words say for some tool: nothing, one word that is a small part of the request, or more. */
export type EvidenceKind = "none" | "weak" | "some";

const WEAK_COVERAGE = 0.12;
const WEAK_NAME_COVERAGE = 0.6;

/**
 * Requests of an agent that no tool serves: not measured, a guess. It is as high as it must be for weak evidence to be
 * refused (see REFUSE_BELOW), and hardly higher.
 */
const PRIOR_NOTHING = 0.3;
/** P(kind | something fits) and P(kind | nothing fits), means over four train and dev sets; measured by `apps/bench`. */
const LIKELIHOODS: Readonly<Record<EvidenceKind, { readonly something: number; readonly nothing: number }>> = {
  none: { something: 0.001, nothing: 0.072 },
  weak: { something: 0.017, nothing: 0.186 },
  some: { something: 0.982, nothing: 0.742 },
};

/** Which kind of evidence the words of a query are. */
export function evidenceKind({ matchedWords, queryCoverage, nameCoverage }: LexicalEvidence): EvidenceKind {
  if (matchedWords === 0) return "none";
  const isWeak = matchedWords === 1 && queryCoverage < WEAK_COVERAGE && nameCoverage < WEAK_NAME_COVERAGE;
  return isWeak ? "weak" : "some";
}

/** P(∅ | words): how probable it is that no tool fits, in 0..1. */
export function probabilityNothingFits(evidence: LexicalEvidence): number {
  const { something, nothing } = LIKELIHOODS[evidenceKind(evidence)];
  const withNothing = PRIOR_NOTHING * nothing;
  return withNothing / (withNothing + (1 - PRIOR_NOTHING) * something);
}
