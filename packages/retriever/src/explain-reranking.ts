import { type Explanation, shownName } from "@setwise/core";
import type { Reranking } from "./rerank.ts";

/**
 * What explains a tool's score, with what a re-ranker made of it: one more child, the first, whose value is what the new place adds to the
 * score of the first stage or takes from it. Unchanged for a tool that was not put to the re-ranker.
 */
export function explainReranking(explanation: Explanation, reranking: Reranking, ordinal: number): Explanation {
  const { ids, scores, scorer, relevance, firstPlaces } = reranking;
  const place = ids.subarray(0, relevance.length).indexOf(ordinal);
  if (place < 0) return explanation;
  const value = scores[place]!;
  const before = firstPlaces[place]!;
  const moved = before === place ? `stays at place ${place + 1}` : `comes from place ${before + 1} to ${place + 1}`;
  const name = shownName(scorer);
  const hasOpinion = relevance.some((share) => share > 0);
  const opinion = hasOpinion ? `${relevance[place]!.toFixed(2)} of 1 by ${name}` : `${name} had no opinion`;
  const sentence = `re-ranked, it ${moved} (${opinion})`;
  const child: Explanation = { value: value - explanation.value, sentence, children: [] };
  return { ...explanation, value, children: [child, ...explanation.children] };
}
