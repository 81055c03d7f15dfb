import { evidenceNames } from "./link-evidence.ts";

type Coefficients = Readonly<Record<(typeof evidenceNames)[number], number>>;

/**
 * Logistic regression on half of the links (by a hash of the consumer's id) of ToolLinkOS, NESTFUL and API-Bank's login, each data set
 * counting the same; of the last two only inputs of which some producer is known. One set of coefficients serves every encoder.
 * `node dist/main.mjs fit-port-links` prints them.
 */
const fitted: Readonly<Record<"words" | "meaning", Coefficients>> = {
  words: {
    always: -5.47,
    sameName: -0.53,
    namesAlike: 1.2,
    inputCovered: -1.81,
    outputCovered: -0.19,
    bothCovered: 4.47,
    toolMentioned: 2.32,
    toolsAlike: 2.04,
    sameServer: 0.0,
    meaning: 0.0,
    toolMeaning: 0.0,
    toolsMeaning: 0.0,
    sameConcept: 0.15,
    takesTheSame: -0.93,
    needsNothing: -0.43,
    conceptForNothing: 4.41,
    signsIn: 3.02,
    creates: -6.81,
    changes: -2.72,
    whole: -0.52,
    wholeSameName: -1.71,
    wrongType: -4.27,
    opaque: 0.07,
    opaqueSameName: -0.23,
    opaqueFromPlain: -3.25,
    opaqueToolsAlike: 1.64,
    meaningToolsAlike: 0.0,
    optional: -0.53,
    onlyGiver: 4.71,
    opaqueOnlyGiver: 1.12,
    opaqueNeedsTheSame: -2.5,
  },
  meaning: {
    always: -5.98,
    sameName: 0.56,
    namesAlike: -0.32,
    inputCovered: -2.82,
    outputCovered: -0.38,
    bothCovered: 5.19,
    toolMentioned: 1.31,
    toolsAlike: 1.82,
    sameServer: 0.0,
    meaning: 2.06,
    toolMeaning: 3.79,
    toolsMeaning: -2.01,
    sameConcept: 0.41,
    takesTheSame: -1.19,
    needsNothing: -0.51,
    conceptForNothing: 4.31,
    signsIn: 2.83,
    creates: -6.35,
    changes: -3.26,
    whole: -0.76,
    wholeSameName: -0.83,
    wrongType: -4.39,
    opaque: -0.38,
    opaqueSameName: -1.1,
    opaqueFromPlain: -3.74,
    opaqueToolsAlike: 2.56,
    meaningToolsAlike: 1.4,
    optional: -0.44,
    onlyGiver: 3.07,
    opaqueOnlyGiver: 1.41,
    opaqueNeedsTheSame: -3.52,
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
