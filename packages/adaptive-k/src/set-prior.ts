import constants from "./set-priors.json" with { type: "json" };

/*
 * How scores become a distribution over sets when there are no logs to learn from:
 *   l_t = a1·s_t + a2·(s_t − s_1),   c_m = α_m + β_m·(r − 2.25)/1.37,   m = 1 … 5
 * with s the retrieval score and r the number of request clauses. The constants stand in set-priors.json, which `apps/bench` fit-set-prior
 * writes, with what they were fitted on. Why: docs/decisions/2026-11-30-set-prior.md.
 */
export interface SetPrior {
  readonly score: number;
  readonly gapToBest: number;
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
  const { score, gapToBest, sizeOffsets, sizeSlopes } = prior ?? {};
  if (!Array.isArray(sizeOffsets) || !Array.isArray(sizeSlopes) || sizeOffsets.length !== sizeSlopes.length)
    return false;
  return sizeOffsets.length > 0 && [score, gapToBest, ...sizeOffsets, ...sizeSlopes].every(Number.isFinite);
}

const MEAN_REQUESTS = 2.25;
const REQUESTS_DEVIATION = 1.37;
/** Beyond this the data had too few queries to tell sizes apart. */
const MOST_REQUESTS = 6;

/** l for `scores` (best first), length n. */
export function priorLogits(prior: SetPrior, scores: Float32Array): Float64Array {
  const best = scores[0] ?? 0;
  return Float64Array.from(scores, (score) => prior.score * score + prior.gapToBest * (score - best));
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
