import { evidenceNames } from "./link-evidence.ts";

type Coefficients = Readonly<Record<(typeof evidenceNames)[number], number>>;

/**
 * Logistic regression on half of the links (by a hash of the consumer's id) of ToolLinkOS, NESTFUL and API-Bank's login, each data set
 * counting the same; of the last two only inputs of which some producer is known. One set of coefficients serves every encoder.
 * `node dist/main.mjs fit-port-links` prints them.
 */
const fitted: Readonly<Record<"words" | "meaning", Coefficients>> = {
  words: {
    always: -5.38,
    sameName: -0.68,
    namesAlike: 1.17,
    inputCovered: -1.96,
    outputCovered: -0.21,
    bothCovered: 4.68,
    toolMentioned: 2.35,
    toolsAlike: 2.05,
    sameServer: 0.0,
    meaning: 0.0,
    toolMeaning: 0.0,
    toolsMeaning: 0.0,
    sameConcept: 0.17,
    takesTheSame: -1.07,
    needsNothing: -0.37,
    conceptForNothing: 4.47,
    signsIn: 3.12,
    creates: -6.71,
    changes: -2.75,
    whole: -0.63,
    wholeSameName: -2.02,
    wrongType: -4.84,
    opaque: 0.01,
    opaqueSameName: -0.52,
    opaqueFromPlain: -3.22,
    opaqueToolsAlike: 1.4,
    meaningToolsAlike: 0.0,
    optional: -0.53,
    onlyGiver: 5.1,
    opaqueOnlyGiver: 1.16,
  },
  meaning: {
    always: -5.92,
    sameName: 0.47,
    namesAlike: -0.54,
    inputCovered: -3.01,
    outputCovered: -0.43,
    bothCovered: 5.48,
    toolMentioned: 1.46,
    toolsAlike: 2.11,
    sameServer: 0.0,
    meaning: 2.38,
    toolMeaning: 3.54,
    toolsMeaning: -2.09,
    sameConcept: 0.44,
    takesTheSame: -1.36,
    needsNothing: -0.4,
    conceptForNothing: 4.37,
    signsIn: 2.9,
    creates: -6.25,
    changes: -3.3,
    whole: -0.87,
    wholeSameName: -1.26,
    wrongType: -5.38,
    opaque: -0.44,
    opaqueSameName: -1.66,
    opaqueFromPlain: -3.83,
    opaqueToolsAlike: 2.41,
    meaningToolsAlike: 1.07,
    optional: -0.45,
    onlyGiver: 3.61,
    opaqueOnlyGiver: 1.45,
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
