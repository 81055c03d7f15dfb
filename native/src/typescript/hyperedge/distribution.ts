/**
 * The distribution P(E) ∝ e^F(E) over the sets that may be answered: log Z, how probable each candidate is, and each size.
 *
 * Weights are e^(F − F*), F* the best score (`weight`); or where logits, pair scores and offsets are so small that no product can
 * overflow, for sums, products of the exponentials of the numbers that F adds up, in the same order.
 *
 * The order of addition is that of the native kernels. Pairs are listed by descending d and ascending e, so that those behind a
 * candidate come first. Weights of the sets that end in the same pair are added as they are visited. Of the sets of a row (a beginning,
 * one more member, every pair behind it), those in lane i of the list, i modulo 8, are added up; such sums of eight lanes are added up
 * over the rows that continue a beginning, and so on to the sum of a size, whose lanes are added in a tree. A candidate's sum is that
 * of the set of it alone, then of the lanes of all beginnings that end in it, then of the pairs that hold it, in the order of their list.
 */
import { largestSet } from "../../hyperedge-request.ts";
import { exp, ln } from "../elementary.ts";
import type { Problem } from "./problem.ts";
import { admits, score, smallestSum } from "./score.ts";
import { weight } from "./weight.ts";

/**
 * With logits, pair scores and offsets that add up to no more than this no product of exponentials, and no sum of them, overflows
 * or underflows.
 */
const mostMild = 600;
const lanes = 8;

/** What is asked of a distribution: where its numbers go. */
export interface DistributionColumns {
  /** For each position of the pool: the probability of the sets that hold it. */
  readonly inclusion: Float64Array;
  /** For each size from 0 to M. */
  readonly sizes: Float64Array;
}

/** Up to so many candidates R is kept of all of them: 32 MB. */
const mostKept = 200;

const members: Uint16Array = new Uint16Array(largestSet);
const rowTotal: Float64Array = new Float64Array(lanes);

/** Fills the columns and returns log Z, which is minus infinity where no set may be answered; `top` is the best score. */
export function distribute(problem: Problem, top: number, columns: DistributionColumns): number {
  if (problem.count > tables.candidates) tables = createTables(problem.count);
  const mild = problem.alignment === "sum" && isMild(problem);
  new Weighing(problem, mild, top).run();
  return writeProbabilities(problem, mild ? 0 : top, columns);
}

/** Whether no product of exponentials can overflow or underflow. */
function isMild({ logits, pairs, offsets, count, largest, emptyScore }: Problem): boolean {
  let logit = 0;
  for (let i = 0; i < count; i += 1) logit = Math.max(logit, Math.abs(logits[i]!));
  let offset = Number.isNaN(emptyScore) ? 0 : Math.abs(emptyScore);
  for (let i = 0; i < largest; i += 1) {
    const magnitude = Math.abs(offsets[i]!);
    if (magnitude !== Number.POSITIVE_INFINITY) offset = Math.max(offset, magnitude);
  }
  let pair = 0;
  for (let i = 0; i < Math.max(0, largest - 1) * count * count; i += 1) {
    const magnitude = Math.abs(pairs[i]!);
    // Minus infinity makes a factor of 0, which is mild.
    if (magnitude !== Number.POSITIVE_INFINITY) pair = Math.max(pair, magnitude);
  }
  return largest * logit + ((largest * (largest - 1)) / 2) * pair + offset <= mostMild;
}

/** What is added up, and what a walk needs; grown to the largest pool seen. */
interface Tables {
  readonly candidates: number;
  /** d and e of each pair, for pools of `listed` candidates. */
  listed: number;
  readonly first: Uint16Array;
  readonly second: Uint16Array;
  /** X for beginnings of 0, 1, … members. */
  readonly xs: readonly Float64Array[];
  /** R of each candidate for the size at hand, where the pool is small enough to keep them; else of the last member of each beginning. */
  readonly rows: readonly Float64Array[];
  /** l, and the pair scores of the size at hand; or their exponentials. */
  readonly logits: Float64Array;
  readonly scores: Float64Array;
  /** For each pair: the weights of the sets that end in it. */
  readonly pairs: Float64Array;
  /** For each candidate: the weight of the set of it alone. */
  readonly singles: Float64Array;
  /** For each candidate: eight lanes of the sets with a beginning that ends in it. */
  readonly beginnings: Float64Array;
  /** For beginnings of 0, 1, … members: eight lanes of the sets visited behind the current one. */
  readonly levels: Float64Array;
  /** For each size. */
  readonly sizes: Float64Array;
}

let tables: Tables = createTables(0);

function createTables(candidates: number): Tables {
  const pairs = (candidates * Math.max(0, candidates - 1)) / 2;
  return {
    candidates,
    listed: 0,
    first: new Uint16Array(pairs),
    second: new Uint16Array(pairs),
    xs: Array.from({ length: largestSet - 1 }, () => new Float64Array(pairs)),
    rows: Array.from({ length: candidates <= mostKept ? candidates : largestSet - 1 }, () => new Float64Array(pairs)),
    logits: new Float64Array(candidates),
    scores: new Float64Array(candidates * candidates),
    pairs: new Float64Array(pairs),
    singles: new Float64Array(candidates),
    beginnings: new Float64Array(candidates * lanes),
    levels: new Float64Array(largestSet * lanes),
    sizes: new Float64Array(largestSet + 1),
  };
}

/** Lists the pairs of so many candidates, those behind each first. */
function listPairs(count: number): void {
  if (tables.listed === count) return;
  const { first, second } = tables;
  let place = 0;
  for (let d = count - 2; d >= 0; d -= 1) {
    for (let e = d + 1; e < count; e += 1, place += 1) {
      first[place] = d;
      second[place] = e;
    }
  }
  tables.listed = count;
}

/** Writes probabilities, and returns log Z: `scale` more than that of the weights. */
function writeProbabilities(
  { count, positions }: Problem,
  scale: number,
  { inclusion, sizes }: DistributionColumns,
): number {
  const { singles, pairs, beginnings, sizes: weights } = tables;
  for (let i = 0; i < count; i += 1) singles[i] = singles[i]! + totalOf(beginnings, i * lanes);
  let place = 0;
  for (let d = count - 2; d >= 0; d -= 1) {
    for (let e = d + 1; e < count; e += 1, place += 1) {
      singles[d] = singles[d]! + pairs[place]!;
      singles[e] = singles[e]! + pairs[place]!;
    }
  }
  inclusion.fill(0);
  sizes.fill(0);
  const z = weights.reduce((sum, size) => sum + size, 0);
  if (z === 0) return Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i += 1) inclusion[positions[i]!] = singles[i]! / z;
  for (let size = 0; size < sizes.length; size += 1) sizes[size] = weights[size]! / z;
  return scale + ln(z);
}

/** The sum in a fixed tree: halves, quarters, the last two. */
function totalOf(numbers: Float64Array, at: number): number {
  const sum = (i: number): number => numbers[at + i]! + numbers[at + i + 4]!;
  return sum(0) + sum(2) + (sum(1) + sum(3));
}

/** Walks over all sets and adds up their weights. Numbers stay in one function where sets are many, or they would be boxed. */
class Weighing {
  readonly #problem: Problem;
  /** Whether weights are products of exponentials; then numbers are exponentials, and joined by products. */
  readonly #mild: boolean;
  readonly #top: number;
  readonly #constrained: boolean;
  readonly #sum: boolean;
  readonly #pairs: number;
  readonly #keepsRows: boolean;
  #size = 0;

  constructor(problem: Problem, mild: boolean, top: number) {
    const { count, logits, requiredCount, budget, alignment } = problem;
    this.#problem = problem;
    this.#mild = mild;
    this.#top = top;
    this.#constrained = requiredCount > 0 || budget !== Number.POSITIVE_INFINITY;
    this.#sum = alignment === "sum";
    this.#pairs = (count * Math.max(0, count - 1)) / 2;
    this.#keepsRows = tables.candidates <= mostKept;
    listPairs(count);
    for (let i = 0; i < count; i += 1) tables.logits[i] = mild ? exp(logits[i]!) : logits[i]!;
    tables.pairs.fill(0, 0, this.#pairs);
    for (const total of [tables.singles, tables.beginnings, tables.levels, tables.sizes]) total.fill(0);
  }

  run(): void {
    const { emptyScore, largest, count, offsets } = this.#problem;
    const { sizes, singles, logits } = tables;
    if (!Number.isNaN(emptyScore)) sizes[0] = this.#mild ? exp(emptyScore) : weight(emptyScore - this.#top);
    if (largest === 0) return;
    for (let i = 0; i < count; i += 1) {
      members[0] = i;
      if (!admits(this.#problem, members, 1)) continue;
      const offset = offsets[0]!;
      singles[i] = this.#mild ? exp(offset) * logits[i]! : weight(offset + logits[i]! - this.#top);
      sizes[1] = sizes[1]! + singles[i]!;
    }
    for (let size = 2; size <= largest; size += 1) {
      if (offsets[size - 1] !== Number.NEGATIVE_INFINITY) this.#weighSize(size);
    }
  }

  #weighSize(size: number): void {
    const { pairs, count, offsets } = this.#problem;
    const { scores, logits, first, second, levels, sizes, xs } = tables;
    const mild = this.#mild;
    const matrix = (size - 2) * count * count;
    // What stands above the diagonal is read.
    for (let d = 0; d < count; d += 1) {
      for (let at = d * count + d + 1; at < (d + 1) * count; at += 1) {
        scores[at] = mild ? exp(pairs[matrix + at]!) : pairs[matrix + at]!;
      }
    }
    const x = xs[0]!;
    for (let p = 0; p < this.#pairs; p += 1) {
      const [d, e] = [first[p]!, second[p]!];
      const pair = scores[d * count + e]!;
      if (mild) x[p] = logits[d]! * logits[e]! * pair;
      else x[p] = this.#sum ? logits[d]! + logits[e]! + pair : pair;
    }
    this.#size = size;
    const offset = mild ? exp(offsets[size - 1]!) : offsets[size - 1]!;
    if (size === 2) this.#weighPairs(offset);
    else {
      if (this.#keepsRows) for (let a = 0; a < count - 2; a += 1) this.#fillRow(tables.rows[a]!, a);
      this.#extend(0, 0, offset, 0, 0);
    }
    sizes[size] = totalOf(levels, 0);
    levels.fill(0);
  }

  /** R of a candidate, for the pairs behind it. */
  #fillRow(row: Float64Array, a: number): void {
    const { count } = this.#problem;
    const { scores, first, second } = tables;
    const from = a * count;
    const behind = pairsBehind(count, a);
    if (this.#mild) for (let p = 0; p < behind; p += 1) row[p] = scores[from + first[p]!]! * scores[from + second[p]!]!;
    else for (let p = 0; p < behind; p += 1) row[p] = scores[from + first[p]!]! + scores[from + second[p]!]!;
  }

  /** Goes on from a beginning of `length` members with candidates from `from` on; b, S0 and S1 are its own. */
  #extend(length: number, from: number, b: number, s0: number, s1: number): void {
    const { count, logits: plainLogits, weights } = this.#problem;
    const { logits, scores, xs, levels, beginnings } = tables;
    const [mild, sum, keeps] = [this.#mild, this.#sum, this.#keepsRows];
    const last = length + 3 === this.#size;
    const x = xs[length]!;
    for (let a = from; a < count - 2; a += 1) {
      let base = mild ? 1 : 0;
      if (mild) for (let i = 0; i < length; i += 1) base *= scores[members[i]! * count + a]!;
      else for (let i = 0; i < length; i += 1) base += scores[members[i]! * count + a]!;
      if (mild) base = b * (logits[a]! * base);
      else base = b + (sum ? logits[a]! + base : base);
      members[length] = a;
      const row = tables.rows[keeps ? a : length]!;
      if (!keeps) this.#fillRow(row, a);
      const next0 = sum ? 0 : s0 + weights[a]!;
      const next1 = sum ? 0 : s1 + plainLogits[a]! * weights[a]!;
      if (last) {
        if (mild && !this.#constrained) this.#weighMildRow(x, row, a, base);
        else this.#weighRow(x, row, a, base, next0, next1);
      } else {
        const next = xs[length + 1]!;
        const behind = pairsBehind(count, a);
        if (mild) for (let p = 0; p < behind; p += 1) next[p] = x[p]! * row[p]!;
        else for (let p = 0; p < behind; p += 1) next[p] = x[p]! + row[p]!;
        this.#extend(length + 1, a + 1, base, next0, next1);
      }
      // All sets behind this beginning were visited.
      const [visited, start] = last ? [rowTotal, 0] : [levels, (length + 1) * lanes];
      for (let lane = 0; lane < lanes; lane += 1) {
        const sumBehind = visited[start + lane]!;
        visited[start + lane] = 0;
        beginnings[a * lanes + lane] = beginnings[a * lanes + lane]! + sumBehind;
        levels[length * lanes + lane] = levels[length * lanes + lane]! + sumBehind;
      }
    }
  }

  /** Weighs the sets of two. */
  #weighPairs(base: number): void {
    const { levels, xs, pairs } = tables;
    const x = xs[0]!;
    for (let p = 0; p < this.#pairs; p += 1) {
      const value = this.#weigh(this.#mild ? base * x[p]! : base + x[p]!, 0, 0, p);
      levels[p % lanes] = levels[p % lanes]! + value;
      pairs[p] = pairs[p]! + value;
    }
  }

  /** Weighs the sets of a beginning, the candidate a and every pair behind it. */
  #weighRow(x: Float64Array, row: Float64Array, a: number, base: number, s0: number, s1: number): void {
    const { pairs } = tables;
    const behind = pairsBehind(this.#problem.count, a);
    for (let p = 0; p < behind; p += 1) {
      const value = this.#weigh(this.#mild ? base * (x[p]! * row[p]!) : base + (x[p]! + row[p]!), s0, s1, p);
      rowTotal[p % lanes] = rowTotal[p % lanes]! + value;
      pairs[p] = pairs[p]! + value;
    }
  }

  #weighMildRow(x: Float64Array, row: Float64Array, a: number, base: number): void {
    const { pairs } = tables;
    const behind = pairsBehind(this.#problem.count, a);
    for (let p = 0; p < behind; p += 1) {
      const value = base * (x[p]! * row[p]!);
      rowTotal[p & (lanes - 1)] = rowTotal[p & (lanes - 1)]! + value;
      pairs[p] = pairs[p]! + value;
    }
  }

  /** The weight of the set that ends in a pair, of its weight or F without the alignment of softmax. */
  #weigh(joined: number, s0: number, s1: number, pair: number): number {
    if (this.#constrained && !this.#admits(pair)) return 0;
    if (this.#mild) return joined;
    return weight((this.#sum ? joined : this.#softmaxScore(joined, s0, s1, pair)) - this.#top);
  }

  #softmaxScore(sum: number, s0: number, s1: number, pair: number): number {
    const { logits, weights } = this.#problem;
    const [d, e] = [tables.first[pair]!, tables.second[pair]!];
    const sum0 = s0 + (weights[d]! + weights[e]!);
    if (sum0 >= smallestSum) return sum + (s1 + (logits[d]! * weights[d]! + logits[e]! * weights[e]!)) / sum0;
    if (sum === Number.NEGATIVE_INFINITY) return sum;
    members[this.#size - 2] = d;
    members[this.#size - 1] = e;
    return score(this.#problem, members, this.#size);
  }

  #admits(pair: number): boolean {
    members[this.#size - 2] = tables.first[pair]!;
    members[this.#size - 1] = tables.second[pair]!;
    return admits(this.#problem, members, this.#size);
  }
}

function pairsBehind(count: number, a: number): number {
  return ((count - 1 - a) * (count - 2 - a)) / 2;
}
