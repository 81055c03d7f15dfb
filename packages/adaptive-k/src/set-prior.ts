/*
 * How scores become a distribution over sets when there are no logs to learn from:
 *   l_t = a1·s_t + a2·(s_t − s_1),   c_m = α_m + β_m·(r − 2.25)/1.37,   m = 1 … 5
 * with s the retrieval score and r the number of request clauses. Fitted over several data sets, each measured only with
 * the constants fitted without it; these are the constants fitted over all of them, those for words on an earlier form of the
 * score. Why: docs/decisions/2026-11-30-set-prior.md.
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
export const lexicalPrior: SetPrior = {
  score: 9.95,
  gapToBest: -2.11,
  sizeOffsets: [21.07, 11.39, 0.85, -10.44, -22.87],
  sizeSlopes: [-1.8, -0.67, 0.49, 0.87, 1.1],
};

const MEAN_REQUESTS = 2.25;
const REQUESTS_DEVIATION = 1.37;
/** Beyond this the data had too few queries to tell sizes apart. */
const MOST_REQUESTS = 6;

/** For scores by words and meaning (words at most 0.5, the cosine, the name's share and the votes of clauses); fitted with the static table. */
export const hybridPrior: SetPrior = {
  score: 2.62,
  gapToBest: 3.13,
  sizeOffsets: [4.56, 3.13, 1.38, -1.73, -3.99],
  sizeSlopes: [-2.67, -0.31, 1.05, 1.43, 0.94],
};

/** l for `scores` (best first), length n. */
export function priorLogits(prior: SetPrior, scores: Float32Array): Float64Array {
  const best = scores[0] ?? 0;
  return Float64Array.from(scores, (score) => prior.score * score + prior.gapToBest * (score - best));
}

/** c_0 … c_5 for a query of `requests` request clauses; c_0 is −∞, since 'nothing fits' needs evidence of its own. */
export function priorSizeOffsets(prior: SetPrior, requests: number): Float64Array {
  const unusual = (Math.min(Math.max(requests, 1), MOST_REQUESTS) - MEAN_REQUESTS) / REQUESTS_DEVIATION;
  const offsets = prior.sizeOffsets.map((offset, m) => offset + (prior.sizeSlopes[m] ?? 0) * unusual);
  return Float64Array.of(-Infinity, ...offsets);
}
