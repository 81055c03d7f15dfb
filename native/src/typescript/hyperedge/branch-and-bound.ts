/**
 * Exact search by branch and bound, for pools that are too large to enumerate.
 *
 * Sets of one size m are grown member by member. For a set A that still needs j members, a completion by S scores
 * `F = base(A) + Σ_{x∈S} (Σ_{a∈A} G[a, x] + ½ Σ_{y∈S∖x} G[x, y]) + alignment(A ∪ S)`. The second sum is at most half of the j − 1
 * largest numbers in row x of G. The alignment is a sum over S, or with `μ = S1 / S0` of A, for softmax,
 * `μ + Σ_{x∈S} w_x (l_x − μ) / (S0 + Σ_S w)`, where each term is at most `w_x (l_x − μ) / (S0 + w_x)` when it is positive, and else at
 * most the same with `(j − 1) · max w` more in the denominator. So every candidate has a bound u of what it can add, and a set
 * is at most base + the j largest u. Candidates are tried by descending u, each followed only by those behind it, until that
 * sum falls below the worst of the best sets so far.
 *
 * Bounds are rounded; what they cut off is below the threshold by more than the rounding (see {@link marginOf}). Sets that are left
 * are scored by the definition, so that the answer is that of enumeration, whatever the order of the search.
 */
import { largestSet } from "../../hyperedge-request.ts";
import { BestSets } from "./best-sets.ts";
import { marginOf } from "./margin.ts";
import type { Problem } from "./problem.ts";
import { admits, score } from "./score.ts";

/** Sums of exponentials below this are not trusted. */
const smallestSum = 1e-280;
/** Passes of swapping one member, from the greedy sets. */
const swapPasses = 2;
/** More answers than this are not worth seeding: each seed is compared with those held. */
const mostSeeded = 64;
/** Steps in which a list is begun, whatever its length. */
const defaultStepsOfList = 40;
/** Steps in which a set is scored by the definition. Few are, but where all scores are equal. */
const stepsOfSet = 5;

/** Where a search keeps its numbers; grown to the largest request seen. Level i is for i members chosen. */
interface Scratch {
  /** A level and candidate: what the members chosen so far add to it by pairs. */
  readonly rowSums: Float64Array;
  /** A level and place in its list: candidates, best first. */
  readonly lists: Uint16Array;
  /** A level and candidate: the bounds. */
  readonly bounds: Float64Array;
  /** A size, candidate and j < size: half the sum of the j largest numbers in its row. */
  readonly halfTops: Float64Array;
  /** A level: base, S0, S1, largest logit and tokens of the members chosen so far. */
  readonly base: Float64Array;
  readonly s0: Float64Array;
  readonly s1: Float64Array;
  readonly top: Float64Array;
  readonly spent: Float64Array;
  /** How long the list of a level is. */
  readonly lengths: Int32Array;
  readonly candidates: number;
}

let scratch: Scratch = createScratch(0);
const seeds: BestSets = new BestSets();
const members: Uint16Array = new Uint16Array(largestSet);
const sorted: Uint16Array = new Uint16Array(largestSet);
/** What the seed is found with. */
const grown: Uint16Array = new Uint16Array(largestSet);
const swapped: Uint16Array = new Uint16Array(largestSet);
const kept: Uint16Array = new Uint16Array(largestSet);
const neighbour: Uint16Array = new Uint16Array(largestSet);

/**
 * Offers sets to `best` so that it ends with the best `count` of all; `best` has been restarted for them. Gives up, with `best` half
 * filled, when it has taken `mostSteps`, and says so by `false`. A step is the time in which a candidate of a list is looked at.
 */
export function searchByBounds(
  problem: Problem,
  best: BestSets,
  count: number,
  mostSteps: number,
  stepsOfList: number = defaultStepsOfList,
): boolean {
  if (count === 0) return true;
  if (scratch.candidates < problem.count) scratch = createScratch(problem.count);
  fillHalfTops(problem);
  const search = new Search(problem, best, seed(problem, count), mostSteps, stepsOfList);
  if (!Number.isNaN(problem.emptyScore)) best.offer(problem.emptyScore, members, 0);
  for (let size = 1; size <= problem.largest; size += 1) if (!search.setsOf(size)) return false;
  return true;
}

class Search {
  readonly #problem: Problem;
  readonly #best: BestSets;
  /** As many sets as are wanted score this or more. */
  readonly #seeded: number;
  readonly #margin: number;
  readonly #sum: boolean;
  #stepsLeft: number;
  readonly #stepsOfList: number;
  /** The largest weight of all candidates that may still be chosen. */
  #largestWeight = 1;
  #size = 0;

  constructor(problem: Problem, best: BestSets, seeded: number, mostSteps: number, stepsOfList: number) {
    this.#problem = problem;
    this.#best = best;
    this.#seeded = seeded;
    this.#margin = marginOf(problem);
    this.#sum = problem.alignment === "sum";
    this.#stepsLeft = mostSteps;
    this.#stepsOfList = stepsOfList;
  }

  /** Whether all sets of this size were looked at or cut off. */
  setsOf(size: number): boolean {
    const { count, required, requiredCount } = this.#problem;
    const offset = this.#problem.offsets[size - 1]!;
    if (requiredCount > size || offset === Number.NEGATIVE_INFINITY) return true;
    this.#size = size;
    const { rowSums, lists, lengths, base, s0, s1, top, spent } = scratch;
    rowSums.fill(0, 0, count);
    base[0] = offset;
    top[0] = Number.NEGATIVE_INFINITY;
    s0[0] = s1[0] = spent[0] = 0;
    let level = 0;
    for (let i = 0; i < count; i += 1) if (required[i] === 1) this.#choose(level++, i);
    let length = 0;
    const list = level * scratch.candidates;
    for (let i = 0; i < count; i += 1) if (required[i] === 0) lists[list + length++] = i;
    lengths[level] = length;
    if (level === size) {
      this.#offer();
      return true;
    }
    return level === 0 && !this.#sum ? this.#startAtLargestLogit() : this.#extend(level);
  }

  #threshold(): number {
    return Math.max(this.#best.threshold, this.#seeded) - this.#margin;
  }

  /** Adds a member to the `level` there are, and the row sums behind it. */
  #choose(level: number, index: number): void {
    const { pairs, count, logits, weights, tokens } = this.#problem;
    const { rowSums, base, s0, s1, top, spent } = scratch;
    const before = level * scratch.candidates;
    const after = before + scratch.candidates;
    if (this.#size > 1) {
      const row = ((this.#size - 2) * count + index) * count;
      for (let i = 0; i < count; i += 1) rowSums[after + i] = rowSums[before + i]! + pairs[row + i]!;
    }
    const logit = logits[index]!;
    base[level + 1] = base[level]! + rowSums[before + index]! + (this.#sum ? logit : 0);
    if (!this.#sum) {
      s0[level + 1] = s0[level]! + weights[index]!;
      s1[level + 1] = s1[level]! + weights[index]! * logit;
    }
    top[level + 1] = Math.max(top[level]!, logit);
    spent[level + 1] = spent[level]! + tokens[index]!;
    members[level] = index;
  }

  /** Softmax from nothing: the first member is the one of the largest logit, so that all others lower the mean. */
  #startAtLargestLogit(): boolean {
    const { logits, weights, budget } = this.#problem;
    const { lists, bounds, lengths, spent, candidates } = scratch;
    const length = lengths[0]!;
    for (let i = 0; i < length; i += 1) bounds[lists[i]!] = logits[lists[i]!]!;
    this.#sort(0, 0, length);
    for (let i = 0; i < length; i += 1) {
      this.#choose(0, lists[i]!);
      if (spent[1]! > budget) continue;
      this.#largestWeight = weights[lists[i]!]!;
      if (this.#size === 1) {
        this.#offer();
        continue;
      }
      lists.copyWithin(candidates, i + 1, length);
      lengths[1] = length - i - 1;
      if (!this.#extend(1)) return false;
    }
    this.#largestWeight = 1;
    return true;
  }

  /** Looks at every completion of the chosen members by candidates of the list of their level. */
  #extend(level: number): boolean {
    this.#stepsLeft -= this.#stepsOfList + scratch.lengths[level]!;
    if (this.#stepsLeft < 0) return false;
    const base = this.#bound(level);
    if (this.#size - level > 1) return this.#branch(level, base);
    this.#finish(level, base);
    return true;
  }

  /** Writes how much each candidate of the list can add, drops those that cannot be added, and returns what they are added to. */
  #bound(level: number): number {
    const { logits, weights, tokens, count } = this.#problem;
    const { rowSums, lists, bounds, lengths, halfTops, candidates } = scratch;
    const needed = this.#size - level;
    const from = level * candidates;
    const tops = (this.#size - 1) * count * largestSet + needed - 1;
    const room = this.#problem.budget - scratch.spent[level]!;
    const s0 = scratch.s0[level]!;
    // Where digits were lost: a mean is at most the largest.
    const mean = this.#sum ? 0 : s0 > smallestSum ? scratch.s1[level]! / s0 : scratch.top[level]!;
    const widened = s0 + (needed - 1) * this.#largestWeight;
    let kept = from;
    const end = from + lengths[level]!;
    for (let place = from; place < end; place += 1) {
      const index = lists[place]!;
      if (tokens[index]! > room) continue;
      const logit = logits[index]!;
      let alignment = logit;
      if (!this.#sum) {
        const weight = weights[index]!;
        const denominator = (logit > mean ? s0 : widened) + weight;
        alignment = denominator < smallestSum ? Math.max(logit - mean, 0) : (weight * (logit - mean)) / denominator;
      }
      const bound = rowSums[from + index]! + halfTops[tops + index * largestSet]! + alignment;
      if (bound === Number.NEGATIVE_INFINITY) continue;
      bounds[from + index] = bound;
      lists[kept] = index;
      kept += 1;
    }
    lengths[level] = kept - from;
    return scratch.base[level]! + mean;
  }

  /** One member is missing. */
  #finish(level: number, base: number): void {
    const { lists, bounds, lengths, candidates } = scratch;
    const from = level * candidates;
    let threshold = this.#threshold();
    for (let place = from; place < from + lengths[level]!; place += 1) {
      const index = lists[place]!;
      if (!(base + bounds[from + index]! >= threshold)) continue;
      members[level] = index;
      this.#offer();
      threshold = this.#threshold();
    }
  }

  #branch(level: number, base: number): boolean {
    const { lists, bounds, lengths, candidates } = scratch;
    const needed = this.#size - level;
    const from = level * candidates;
    this.#cut(level, base, needed);
    const length = lengths[level]!;
    this.#sort(level, from, from + length);
    for (let first = 0; first + needed <= length; first += 1) {
      let most = 0;
      for (let i = first; i < first + needed; i += 1) most += bounds[from + lists[from + i]!]!;
      if (base + most < this.#threshold()) return true;
      this.#choose(level, lists[from + first]!);
      lists.copyWithin(from + candidates, from + first + 1, from + length);
      lengths[level + 1] = length - first - 1;
      if (!this.#extend(level + 1)) return false;
    }
    return true;
  }

  /** Drops candidates that even with the best others do not reach the threshold. */
  #cut(level: number, base: number, needed: number): void {
    const { lists, bounds, lengths, candidates } = scratch;
    const from = level * candidates;
    const end = from + lengths[level]!;
    if (lengths[level]! < needed) return;
    const others = sumOfLargest(lists, bounds, from, end, needed - 1);
    const threshold = this.#threshold();
    let kept = from;
    for (let place = from; place < end; place += 1) {
      const index = lists[place]!;
      if (!(base + (others + bounds[from + index]!) >= threshold)) continue;
      lists[kept] = index;
      kept += 1;
    }
    lengths[level] = kept - from;
  }

  /** Sorts part of a level's list by descending bound, equal ones by index. */
  #sort(level: number, start: number, end: number): void {
    const { lists, bounds, candidates } = scratch;
    const from = level * candidates;
    // Lists are short once they are cut: insertion where they are, the engine's sort where they are not.
    if (end - start > 64) {
      lists.subarray(start, end).sort((a, b) => bounds[from + b]! - bounds[from + a]! || a - b);
      return;
    }
    for (let place = start + 1; place < end; place += 1) {
      const index = lists[place]!;
      const bound = bounds[from + index]!;
      let to = place;
      for (; to > start; to -= 1) {
        const other = lists[to - 1]!;
        const otherBound = bounds[from + other]!;
        if (otherBound > bound || (otherBound === bound && other < index)) break;
        lists[to] = other;
      }
      lists[to] = index;
    }
  }

  /** Scores the full set by the definition. */
  #offer(): void {
    this.#stepsLeft -= stepsOfSet;
    const size = this.#size;
    for (let i = 0; i < size; i += 1) {
      const member = members[i]!;
      let to = i;
      for (; to > 0 && sorted[to - 1]! > member; to -= 1) sorted[to] = sorted[to - 1]!;
      sorted[to] = member;
    }
    if (admits(this.#problem, sorted, size)) this.#best.offer(score(this.#problem, sorted, size), sorted, size);
  }
}

/** The sum of the `needed` largest bounds of a list, fewer than a set has members. */
function sumOfLargest(lists: Uint16Array, bounds: Float64Array, from: number, end: number, needed: number): number {
  largest.fill(Number.NEGATIVE_INFINITY);
  for (let place = from; place < end; place += 1) insertLargest(bounds[from + lists[place]!]!, needed);
  let sum = 0;
  for (let i = 0; i < needed; i += 1) sum += largest[i]!;
  return sum;
}

/** The largest numbers so far, in descending order. */
const largest: Float64Array = new Float64Array(largestSet);

function insertLargest(value: number, room: number): void {
  if (room === 0 || value <= largest[room - 1]!) return;
  let place = room - 1;
  for (; place > 0 && largest[place - 1]! < value; place -= 1) largest[place] = largest[place - 1]!;
  largest[place] = value;
}

function fillHalfTops({ pairs, count, largest: most }: Problem): void {
  const { halfTops } = scratch;
  halfTops.fill(0, 0, count * largestSet);
  for (let size = 2; size <= most; size += 1) {
    for (let index = 0; index < count; index += 1) {
      largest.fill(Number.NEGATIVE_INFINITY);
      const row = ((size - 2) * count + index) * count;
      let least = Number.NEGATIVE_INFINITY;
      for (let other = 0; other < count; other += 1) {
        const pair = pairs[row + other]!;
        if (pair <= least || other === index) continue;
        insertLargest(pair, size - 1);
        least = largest[size - 2]!;
      }
      const tops = ((size - 1) * count + index) * largestSet;
      halfTops[tops] = 0;
      for (let j = 1; j < size; j += 1) halfTops[tops + j] = halfTops[tops + j - 1]! + 0.5 * largest[j - 1]!;
    }
  }
}

/** A score that `count` different sets reach: from greedy sets of each size and their neighbours by one swap. */
function seed(problem: Problem, count: number): number {
  const { required, requiredCount } = problem;
  if (count > mostSeeded || requiredCount >= problem.largest) return Number.NEGATIVE_INFINITY;
  seeds.restart(count);
  let size = 0;
  for (let i = 0; i < problem.count; i += 1) if (required[i] === 1) grown[size++] = i;
  while (size < problem.largest) {
    if (!bestNeighbour(problem, grown, size, size, grown)) break;
    size += 1;
    swapped.set(grown);
    for (let pass = 0; pass < swapPasses; pass += 1) {
      for (let place = 0; place < size; place += 1) {
        if (required[swapped[place]!] === 0) bestNeighbour(problem, swapped, size, place, swapped);
      }
    }
  }
  return seeds.isFull ? seeds.threshold : Number.NEGATIVE_INFINITY;
}

/**
 * Finds the best of the sets that come from the first `size` members of `from` by adding one in place of the member at `place`, or to
 * all of them where `place` is `size`; writes it to `to`, which may be `from`, or says that there is none. All are offered to the seeds.
 */
function bestNeighbour(problem: Problem, from: Uint16Array, size: number, place: number, to: Uint16Array): boolean {
  let length = 0;
  for (let i = 0; i < size; i += 1) if (i !== place) kept[length++] = from[i]!;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < problem.count; index += 1) {
    let at = 0;
    while (at < length && kept[at]! < index) at += 1;
    if (at < length && kept[at] === index) continue;
    for (let i = 0; i < at; i += 1) neighbour[i] = kept[i]!;
    neighbour[at] = index;
    for (let i = at; i < length; i += 1) neighbour[i + 1] = kept[i]!;
    const value = score(problem, neighbour, length + 1);
    if (value === Number.NEGATIVE_INFINITY || !admits(problem, neighbour, length + 1)) continue;
    if (value > bestScore) {
      to.set(neighbour);
      bestScore = value;
    }
    seeds.offerOnce(value, neighbour, length + 1);
  }
  return bestScore > Number.NEGATIVE_INFINITY;
}

function createScratch(candidates: number): Scratch {
  const levels = largestSet + 1;
  return {
    rowSums: new Float64Array(levels * candidates),
    lists: new Uint16Array(levels * candidates),
    bounds: new Float64Array(levels * candidates),
    halfTops: new Float64Array(largestSet * candidates * largestSet),
    base: new Float64Array(levels),
    s0: new Float64Array(levels),
    s1: new Float64Array(levels),
    top: new Float64Array(levels),
    spent: new Float64Array(levels),
    lengths: new Int32Array(levels),
    candidates,
  };
}
