import { evidenceNames } from "./link-evidence.ts";

type Coefficients = Readonly<Record<(typeof evidenceNames)[number], number>>;

/**
 * Logistic regression on the links of half of ToolLinkOS and NESTFUL (by a hash of the consumer's id), each data set counting the same;
 * the other half was not looked at. One set of coefficients serves every encoder: `node dist/main.mjs fit-port-links` prints them.
 */
const fitted: Readonly<Record<"words" | "meaning", Coefficients>> = {
  words: {
    always: -6.85,
    sameName: 0.42,
    namesAlike: 3.02,
    inputCovered: -1.69,
    outputCovered: -0.62,
    bothCovered: 3.5,
    toolMentioned: 2.53,
    toolsAlike: 2.8,
    sameServer: 0.0,
    meaning: 0.0,
    toolMeaning: 0.0,
    toolsMeaning: 0.0,
    sameConcept: -0.07,
    takesTheSame: -1.0,
    needsNothing: 0.06,
    conceptForNothing: 4.41,
    signsIn: 3.41,
    creates: -4.59,
    changes: -2.6,
    whole: 0.65,
    wholeSameName: 0.99,
    wrongType: -5.17,
    opaque: -0.34,
    opaqueSameName: -1.61,
    opaqueFromPlain: -3.41,
    opaqueToolsAlike: 3.13,
    meaningToolsAlike: 0.0,
    optional: -1.88,
  },
  meaning: {
    always: -6.99,
    sameName: 0.71,
    namesAlike: 2.21,
    inputCovered: -2.56,
    outputCovered: -0.7,
    bothCovered: 3.33,
    toolMentioned: 1.39,
    toolsAlike: 0.52,
    sameServer: 0.0,
    meaning: 1.86,
    toolMeaning: 3.13,
    toolsMeaning: -1.74,
    sameConcept: -0.05,
    takesTheSame: -1.31,
    needsNothing: -0.05,
    conceptForNothing: 4.42,
    signsIn: 3.35,
    creates: -4.74,
    changes: -3.14,
    whole: 0.41,
    wholeSameName: 1.42,
    wrongType: -5.26,
    opaque: -1.02,
    opaqueSameName: -2.75,
    opaqueFromPlain: -3.91,
    opaqueToolsAlike: 4.34,
    meaningToolsAlike: 4.86,
    optional: -1.53,
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
