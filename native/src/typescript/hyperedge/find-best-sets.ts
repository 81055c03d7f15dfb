import { KernelError } from "../../errors.ts";
import type { HyperedgeRequest, SetColumns } from "../../hyperedge-kernel.ts";
import { BestSets } from "./best-sets.ts";
import { searchByBounds } from "./branch-and-bound.ts";
import { distribute } from "./distribution.ts";
import { enumerateSets } from "./enumerate.ts";
import { createProblem, fillProblem, type Problem } from "./problem.ts";

/**
 * Six times the sets that are enumerated in the time of one step of a search by bounds, so that a search that gives up has cost a
 * sixth of the enumeration that follows.
 */
const sumsPerStep = 50;
/** The same for softmax. */
const softmaxesPerStep = 32;

/** More sets than this are not all weighed: they take minutes. */
const mostWeighed = 1e10;

const problem: Problem = createProblem();
const bestSets: BestSets = new BestSets();

/** Fills the columns and returns how many sets were found. */
export function enumerateInTypescript(request: HyperedgeRequest, count: number, columns: SetColumns): number {
  fillProblem(problem, request);
  const weighed = columns.distribution.length > 0;
  if (weighed && countSets(problem.count, problem.largest) > mostWeighed) {
    const text = `distribution: ${problem.count} candidates have more than 1e10 sets; give a smaller pool or M.`;
    throw new KernelError("too-large", text);
  }
  // Weights are relative to the best set.
  findBestSets(problem, bestSets, weighed ? Math.max(count, 1) : count);
  bestSets.sort();
  const found = Math.min(count, bestSets.length);
  let at = 0;
  for (let rank = 0; rank < found; rank += 1) {
    for (let i = 0; i < bestSets.size(rank); i += 1, at += 1) {
      columns.members[at] = problem.positions[bestSets.member(rank, i)]!;
    }
    columns.scores[rank] = bestSets.score(rank);
    columns.offsets[rank + 1] = at;
  }
  if (weighed) {
    const top = bestSets.length === 0 ? Number.NEGATIVE_INFINITY : bestSets.score(0);
    const inclusion = columns.distribution.subarray(1, 1 + request.pool);
    const sizes = columns.distribution.subarray(1 + request.pool);
    columns.distribution[0] = distribute(problem, top, { inclusion, sizes });
  }
  return found;
}

/** Puts the best `count` sets into `best`, by enumeration or by bounds, whichever is likely to be quicker: the answer is the same. */
export function findBestSets(problem: Problem, best: BestSets, count: number): void {
  best.restart(count);
  const { count: candidates, largest, alignment } = problem;
  // Steps in which all pair scores are read and greedy sets found.
  const preparation = 3 * candidates * candidates * largest;
  const setsPerStep = alignment === "sum" ? sumsPerStep : softmaxesPerStep;
  const mostSteps = countSets(candidates, largest) / setsPerStep - preparation;
  if (mostSteps > 0) {
    if (searchByBounds(problem, best, count, mostSteps)) return;
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
