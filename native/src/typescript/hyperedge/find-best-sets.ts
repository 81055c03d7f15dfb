import type { BestSets } from "./best-sets.ts";
import { searchByBounds } from "./branch-and-bound.ts";
import { enumerateSets } from "./enumerate.ts";
import type { Problem } from "./problem.ts";

/** Up to so many sets (K = 43 for M = 5) they are enumerated: that takes about as long as the bounds of a search need at least. */
const mostEnumerated = 1_000_000;
/**
 * Sets that are enumerated in the time in which a search looks at one candidate, and six times as many: a search that gives up has cost
 * a sixth of the enumeration that follows.
 */
const setsPerStep = 25;

/** Puts the best `count` sets into `best`, by enumeration or by bounds, whichever is likely to be quicker: the answer is the same. */
export function findBestSets(problem: Problem, best: BestSets, count: number): void {
  best.restart(count);
  const sets = countSets(problem.count, problem.largest);
  if (sets > mostEnumerated) {
    if (searchByBounds(problem, best, count, sets / setsPerStep)) return;
    best.restart(count);
  }
  enumerateSets(problem, best);
}

/** Sets of at most `largest` of `count`. */
function countSets(count: number, largest: number): number {
  let sets = 0;
  let ofSize = 1;
  for (let size = 1; size <= largest; size += 1) {
    ofSize = (ofSize * (count - size + 1)) / size;
    sets += ofSize;
  }
  return sets;
}
