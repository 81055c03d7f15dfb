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

/** More sets than this are not all looked at: they take minutes. */
const mostEnumerated = 1e10;
/** The most candidates whose sets of three members or more are all looked at: the tables of the addon hold no more. */
const mostEnumeratedCandidates = 512;
/** Steps of a search by bounds that nothing can follow: some seconds, so that a call always ends. */
const mostStepsAlone = 3e8;
/** Steps in which such a search begins a list: those of the addon, so that both give up at the same place. */
const stepsOfListAlone = 10;

const problem: Problem = createProblem();
const bestSets: BestSets = new BestSets();

/** Fills the columns and returns how many sets were found. */
export function enumerateInTypescript(request: HyperedgeRequest, count: number, columns: SetColumns): number {
  fillProblem(problem, request);
  const weighed = columns.distribution.length > 0;
  if (!canHoldRequired(problem)) {
    columns.distribution.fill(0);
    if (weighed) columns.distribution[0] = Number.NEGATIVE_INFINITY;
    return 0;
  }
  if (weighed && !canBeEnumerated(problem)) {
    const text = `distribution: ${problem.count} candidates have too many sets to weigh them all; give a smaller pool or M.`;
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

/**
 * Puts the best `count` sets into `best`, by enumeration or by bounds, whichever is likely to be quicker: the answer is the same.
 *
 * @throws {KernelError} `too-large` when bounds do not tell the best of more sets than can be enumerated.
 */
export function findBestSets(problem: Problem, best: BestSets, count: number): void {
  best.restart(count);
  const { count: candidates, largest, alignment } = problem;
  // Steps in which all pair scores are read and greedy sets found.
  const preparation = 3 * candidates * candidates * largest;
  const setsPerStep = alignment === "sum" ? sumsPerStep : softmaxesPerStep;
  const sets = countSets(candidates, largest);
  if (!canBeEnumerated(problem)) {
    if (searchByBounds(problem, best, count, mostStepsAlone, stepsOfListAlone)) return;
    throw new KernelError("too-large", undecided(sets));
  }
  const mostSteps = sets / setsPerStep - preparation;
  if (mostSteps > 0) {
    if (searchByBounds(problem, best, count, mostSteps)) return;
    best.restart(count);
  }
  enumerateSets(problem, best);
}

/** Whether no candidate is required and excluded at once. */
function canHoldRequired({ count, required, requiredCount }: Problem): boolean {
  let usable = 0;
  for (let i = 0; i < count; i += 1) usable += required[i]!;
  return usable === requiredCount;
}

function canBeEnumerated({ count, largest }: Problem): boolean {
  return countSets(count, largest) <= mostEnumerated && (count <= mostEnumeratedCandidates || largest <= 2);
}

function undecided(sets: number): string {
  const many = sets.toExponential(1).replace("+", "");
  return `pairScores: the scores are so alike that ${many} sets would have to be looked at one by one; give a smaller pool or maxSize.`;
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
