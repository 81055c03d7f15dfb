import { largestDrop } from "./largest-drop.ts";

/*
 * The dual boundary rule of MagicSelector (section 5, equations 27 to 29), faithful to the paper:
 *   K_score = argmax_i (s_i − s_{i+1}),  K_sim = argmax_i (sim_i − sim_{i+1}) for i ≤ n − 2,  K = max(K_score, K_sim)
 * with sim_i the cosine of the i-th and (i+1)-th tool's embeddings; the first index on ties. n = 0 → 0, n = 1 → 1, n = 2 → K_score.
 */

/**
 * How many of `scores` (length n, best first) to keep. O(n).
 *
 * @param similarities sim_1 … sim_{n−1}, or `undefined` where tools have no embeddings; then K = K_score.
 */
export function boundaryK(scores: Float32Array, similarities: Float32Array | undefined): number {
  if (scores.length < 2) return scores.length;
  const byScore = largestDrop(scores);
  const bySimilarity = similarities === undefined || scores.length < 3 ? 0 : largestDrop(similarities);
  return Math.max(byScore, bySimilarity);
}
