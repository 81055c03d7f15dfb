import { evidenceNames } from "./link-evidence.ts";

type Coefficients = Readonly<Record<(typeof evidenceNames)[number], number>>;

/**
 * Logistic regression on half of the links (by a hash of the consumer's id) of ToolLinkOS, NESTFUL and API-Bank's login, each data set
 * counting the same; of the last two only inputs of which some producer is known. One set of coefficients serves every encoder.
 * `node dist/main.mjs fit-port-links` prints them.
 */
const fitted: Readonly<Record<"words" | "meaning", Coefficients>> = {
  words: {
    always: -5.06,
    sameName: 0.27,
    namesAlike: -0.01,
    inputCovered: -1.47,
    outputCovered: 0.01,
    bothCovered: 4.56,
    toolMentioned: 2.33,
    toolsAlike: 1.45,
    sameServer: 0.0,
    meaning: 0.0,
    toolMeaning: 0.0,
    toolsMeaning: 0.0,
    sameConcept: 0.55,
    takesTheSame: -0.71,
    needsNothing: -0.28,
    conceptForNothing: 4.59,
    signsIn: 3.16,
    creates: -6.89,
    changes: -2.9,
    whole: -1.25,
    wholeSameName: -0.76,
    wrongType: -3.97,
    opaque: 0.24,
    opaqueSameName: -0.7,
    opaqueFromPlain: -3.53,
    opaqueToolsAlike: 1.75,
    meaningToolsAlike: 0.0,
    optional: -0.68,
    onlyGiver: 3.61,
    opaqueOnlyGiver: 0.84,
    opaqueNeedsTheSame: -2.71,
  },
  meaning: {
    always: -5.51,
    sameName: 1.08,
    namesAlike: -1.02,
    inputCovered: -2.25,
    outputCovered: 0.11,
    bothCovered: 5.22,
    toolMentioned: 1.47,
    toolsAlike: 0.16,
    sameServer: 0.0,
    meaning: 0.25,
    toolMeaning: 3.9,
    toolsMeaning: -1.14,
    sameConcept: 0.71,
    takesTheSame: -0.98,
    needsNothing: -0.42,
    conceptForNothing: 4.36,
    signsIn: 2.99,
    creates: -6.38,
    changes: -3.32,
    whole: -1.31,
    wholeSameName: -0.53,
    wrongType: -4.12,
    opaque: -0.22,
    opaqueSameName: -1.26,
    opaqueFromPlain: -3.89,
    opaqueToolsAlike: 2.55,
    meaningToolsAlike: 2.53,
    optional: -0.48,
    onlyGiver: 2.46,
    opaqueOnlyGiver: 1.42,
    opaqueNeedsTheSame: -3.7,
  },
};

const columns = {
  words: Float64Array.from(evidenceNames, (name) => fitted.words[name]),
  meaning: Float64Array.from(evidenceNames, (name) => fitted.meaning[name]),
};

/** w = 1 / (1 + exp(−Σ c_i x_i)): how likely a link with this evidence is one that a plan uses. */
export function linkWeight(evidence: Float64Array, level: "words" | "meaning"): number {
  const coefficients = columns[level];
  let sum = 0;
  for (let place = 0; place < evidence.length; place++) sum += evidence[place]! * coefficients[place]!;
  return 1 / (1 + Math.exp(-sum));
}
