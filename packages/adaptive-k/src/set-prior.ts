import constants from "./set-priors.json" with { type: "json" };

/*
 * How scores become a distribution over sets when there are no logs to learn from:
 *   l_t = a1·s_t + a2·(s_t − s_1) + a3·s_t·ln(e / 2),   c_m = α_m + β_m·(r − 2.25)/1.37,   m = 1 … 5
 * with s the retrieval score, r the number of request clauses and e what the words say of the best tool, in 0.5..10: a score by words alone is a share of
 * the best tool's and does not tell how good that one is. A score with cosines does, and has no a3. The constants stand in set-priors.json, which
 * `apps/bench` fit-set-prior writes, with what they were fitted on. Why: docs/decisions/2026-11-30-set-prior.md.
 */
export interface SetPrior {
  readonly score: number;
  readonly gapToBest: number;
  /** a3; 0 where it is left out. */
  readonly evidence?: number;
  /** α_1 … α_5. */
  readonly sizeOffsets: readonly number[];
  /** β_1 … β_5. */
  readonly sizeSlopes: readonly number[];
}

/** For purely lexical scores (base score at most 1 plus the name's share). */
export const lexicalPrior: SetPrior = constants.none;

/** For scores by words and meaning; fitted with the static table. */
export const hybridPrior: SetPrior = constants.static;

/** The same with the transformer beside the table. */
export const minilmPrior: SetPrior = constants.minilm;

/** The constants for scores with the meaning of an encoder, by its name; for words only where there is none. */
export function priorFor(encoder: string | undefined): SetPrior {
  if (encoder === undefined) return lexicalPrior;
  return encoder.startsWith("joint:onnx:all-MiniLM-L6-v2:") ? minilmPrior : hybridPrior;
}

/** Whether all constants are there and finite, for as many sizes. */
export function isPrior(prior: Partial<SetPrior> | null | undefined): boolean {
  const { score, gapToBest, evidence = 0, sizeOffsets, sizeSlopes } = prior ?? {};
  if (!Array.isArray(sizeOffsets) || !Array.isArray(sizeSlopes) || sizeOffsets.length !== sizeSlopes.length)
    return false;
  return sizeOffsets.length > 0 && [score, gapToBest, evidence, ...sizeOffsets, ...sizeSlopes].every(Number.isFinite);
}

const MEAN_REQUESTS = 2.25;
const REQUESTS_DEVIATION = 1.37;
/** Beyond this the data had too few queries to tell sizes apart. */
const MOST_REQUESTS = 6;

const USUAL_EVIDENCE = 2;
/** Below and beyond these a word more or less says nothing of a set; a tool that is called by its name has infinite evidence. */
const LEAST_EVIDENCE = 0.5;
const MOST_EVIDENCE = 10;

/** l for `scores` (best first), length n. `wordEvidence` is that of the retrieval; without it the words say what they usually do. */
export function priorLogits(prior: SetPrior, scores: Float32Array, wordEvidence?: number): Float64Array {
  const best = scores[0] ?? 0;
  const slope = prior.score + (prior.evidence ?? 0) * unusualEvidence(wordEvidence);
  return Float64Array.from(scores, (score) => slope * score + prior.gapToBest * (score - best));
}

/** ln(e / 2): what a3·s is multiplied with. */
export function unusualEvidence(wordEvidence: number = USUAL_EVIDENCE): number {
  return Math.log(Math.min(Math.max(wordEvidence, LEAST_EVIDENCE), MOST_EVIDENCE) / USUAL_EVIDENCE);
}

/** c_0 … c_5 for a query of `requests` request clauses; c_0 is −∞, since 'nothing fits' needs evidence of its own. */
export function priorSizeOffsets(prior: SetPrior, requests: number): Float64Array {
  const unusual = unusualRequests(requests);
  const offsets = prior.sizeOffsets.map((offset, m) => offset + (prior.sizeSlopes[m] ?? 0) * unusual);
  return Float64Array.of(-Infinity, ...offsets);
}

/** r, standardised: what β_m is multiplied with. */
export function unusualRequests(requests: number): number {
  return (Math.min(Math.max(requests, 1), MOST_REQUESTS) - MEAN_REQUESTS) / REQUESTS_DEVIATION;
}
