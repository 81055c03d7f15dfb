import type { LexicalEvidence } from "@setwise/core";

/*
 * P(∅ | evidence), by two rules, of which the surer one decides (docs/decisions/2026-11-30-nothing-fits.md):
 *   words    Bayes' rule over three kinds of evidence: no word in common, one word that is a small part of the request, anything else;
 *   meaning  logit P(something fits) = b·margin + bias, the margin by which the query is nearer to the tools at hand than to foreign ones
 * A request that holds a tool's whole name is not refused for its meaning.
 */

/** The constants of the rule by meaning, for one encoder; the bias is such that an answer is refused below P = 0.2. */
export interface RefusalGate {
  /** What the margin counts. */
  readonly margin: number;
  readonly bias: number;
}

/** How much nearer a query is to the tools at hand than to foreign ones, and the constants that go with these; see `openBackground`. */
export interface ForeignEvidence {
  readonly margin: number;
  readonly gate: RefusalGate;
}

/** How much words and meaning say for some tool: nothing, one word that is a small part of the request, or more. */
export type EvidenceKind = "none" | "weak" | "some";

const WEAK_COVERAGE = 0.12;
const WEAK_NAME_COVERAGE = 0.6;

/**
 * Requests of an agent that no tool serves: not measured, a guess. It is as high as it must be for weak evidence to be
 * refused (see REFUSE_BELOW), and hardly higher.
 */
const PRIOR_NOTHING = 0.3;
/** From this cosine on a tool is near, though the query has no word of any. */
const NEAR = 0.25;
/** The same where one word is shared, which by itself brings texts nearer. */
const NEAR_WITH_A_WORD = 0.33;

type Likelihoods = Readonly<Record<EvidenceKind, { readonly something: number; readonly nothing: number }>>;

/** P(kind | something fits) and P(kind | nothing fits), means over four train and dev sets; measured by `apps/bench`. */
const byWords: Likelihoods = {
  none: { something: 0.001, nothing: 0.072 },
  weak: { something: 0.017, nothing: 0.186 },
  some: { something: 0.982, nothing: 0.742 },
};
const byWordsAndMeaning: Likelihoods = {
  none: { something: 0.002, nothing: 0.065 },
  weak: { something: 0.011, nothing: 0.175 },
  some: { something: 0.987, nothing: 0.76 },
};

/**
 * Which kind of evidence there is for a query.
 *
 * @param bestCosine Largest cosine of a tool with the query, if there is an encoder.
 */
export function evidenceKind(
  { matchedWords, queryCoverage, nameCoverage }: LexicalEvidence,
  bestCosine?: number,
): EvidenceKind {
  const cosine = bestCosine ?? 0;
  if (matchedWords === 0) return cosine >= NEAR ? "some" : "none";
  const isWeak = matchedWords === 1 && queryCoverage < WEAK_COVERAGE && nameCoverage < WEAK_NAME_COVERAGE;
  return isWeak && cosine < NEAR_WITH_A_WORD ? "weak" : "some";
}

/**
 * P(∅ | evidence): how probable it is that no tool fits, in 0..1.
 *
 * @param bestCosine Largest cosine of a tool with the query, if there is an encoder.
 * @param foreign How near foreign tools are in comparison, if that is known.
 */
export function probabilityNothingFits(
  evidence: LexicalEvidence,
  bestCosine?: number,
  foreign?: ForeignEvidence,
): number {
  const likelihoods = bestCosine === undefined ? byWords : byWordsAndMeaning;
  const { something, nothing } = likelihoods[evidenceKind(evidence, bestCosine)];
  const withNothing = PRIOR_NOTHING * nothing;
  const words = withNothing / (withNothing + (1 - PRIOR_NOTHING) * something);
  if (bestCosine === undefined || foreign === undefined || evidence.namesTool) return words;
  return Math.max(words, 1 - 1 / (1 + Math.exp(-fitLogit(foreign.gate, foreign.margin))));
}

/**
 * P(∅) by the rules and by a model that learned it from a log: two witnesses, whose odds are multiplied, with the prior that stands in both counted once
 * (Bayes' rule for independent evidence). Where one of them is certain, it is.
 *
 * @param rules {@link probabilityNothingFits}, in 0..1.
 * @param learned The model's P(∅), in 0..1.
 */
export function probabilityByBoth(rules: number, learned: number): number {
  const nothing = (rules * learned) / PRIOR_NOTHING;
  const something = ((1 - rules) * (1 - learned)) / (1 - PRIOR_NOTHING);
  // Each certain of the opposite: what fits by the rules is near to what the log served.
  return nothing + something === 0 ? 0 : nothing / (nothing + something);
}

/** logit P(something fits), by meaning. */
export function fitLogit(gate: RefusalGate, margin: number): number {
  return gate.margin * margin + gate.bias;
}
