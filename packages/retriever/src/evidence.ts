import type { LexicalEvidence } from "@setwise/core";
import { fillerStems } from "./filler-words.ts";
import { largest } from "./score-words.ts";
import type { Scratch } from "./scratch.ts";
import { stem } from "./stem.ts";
import type { Postings, ToolIndex } from "./tool-index.ts";
import { isNumber } from "./words.ts";

/**
 * What the query's own words, without synonyms or likeness, say about whether any tool fits. A number that no tool has is
 * somebody's order or account number and no word.
 *
 * @param queryWords The query's {@link plainWords}.
 * @param scratch The columns of the query as {@link scoreQuery} left them: only tools it touched are looked at.
 */
export function gatherEvidence(
  index: ToolIndex,
  queryWords: readonly string[],
  scratch: Scratch,
): Omit<LexicalEvidence, "namesTool"> {
  const { coverage, matched, ownNameShare, touched, count } = scratch;
  const unknown = new Set<string>();
  let weight = 0;
  let known = 0;
  scratch.bag++;
  for (const word of queryWords) {
    const stemmed = stem(word);
    if (fillerStems.has(stemmed)) continue;
    const term = index.vocabulary.get(stemmed);
    if (term === undefined) {
      if (stemmed !== "" && !isNumber(word)) unknown.add(stemmed);
    } else if (scratch.seenIn[term] !== scratch.bag) {
      scratch.seenIn[term] = scratch.bag;
      known++;
      weight += index.idf[term]!;
      addWord(index, term, scratch);
    }
  }
  const rarest = Math.log(1 + (index.catalog.tools.length + 0.5) / 0.5);
  weight += unknown.size * rarest;
  return {
    queryCoverage: weight > 0 ? Math.min(1, largest(coverage, touched, count) / weight) : 0,
    nameCoverage: Math.min(1, largest(ownNameShare, touched, count)),
    matchedWords: largest(matched, touched, count),
    queryWords: known + unknown.size,
  };
}

function addWord(index: ToolIndex, term: number, { coverage, matched, ownNameShare }: Scratch): void {
  const { text, names } = index;
  const idf = index.idf[term]!;
  for (let posting = text.offsets[term]!; posting < text.offsets[term + 1]!; posting++) {
    const tool = text.ordinals[posting]!;
    coverage[tool]! += idf;
    matched[tool]!++;
  }
  addShares(names, term, ownNameShare);
}

function addShares({ offsets, ordinals, weights }: Postings, term: number, column: Float32Array): void {
  for (let posting = offsets[term]!; posting < offsets[term + 1]!; posting++) {
    column[ordinals[posting]!]! += weights[posting]!;
  }
}
