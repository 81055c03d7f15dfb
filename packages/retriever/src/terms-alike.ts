import type { ToolIndex } from "./tool-index.ts";
import type { Scratch } from "./scratch.ts";

/** Beginnings shorter than this are shared by words that have nothing to do with each other. */
const SHORTEST_BEGINNING = 4;
/** More terms than these do not help to tell tools apart. */
const MOST_TERMS = 16;

/**
 * Terms for a word that no tool has: those that begin with it ("math": "mathemat") and those with which it begins
 * ("photographi": "photo"), at least four letters alike.
 */
export function termsAlike(index: ToolIndex, stemmed: string, scratch: Scratch): number[] {
  if (stemmed.length < SHORTEST_BEGINNING) return [];
  const found: number[] = [];
  for (let length = SHORTEST_BEGINNING; length < stemmed.length; length++) {
    const term = index.vocabulary.get(stemmed.slice(0, length));
    if (term !== undefined) found.push(term);
  }
  scratch.sortedStems ??= [...index.vocabulary.keys()].sort();
  const sorted = scratch.sortedStems;
  for (let place = firstFrom(sorted, stemmed); found.length < MOST_TERMS; place++) {
    const candidate = sorted[place];
    if (candidate === undefined || !candidate.startsWith(stemmed)) break;
    const term = index.vocabulary.get(candidate);
    if (term !== undefined) found.push(term);
  }
  return found;
}

/** The first place in `sorted` that does not come before `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
