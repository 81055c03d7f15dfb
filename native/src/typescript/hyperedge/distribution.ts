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

const members: Uint16Array = new Uint16Array(largestSet);

/** Fills the columns and returns log Z, which is minus infinity where no set may be answered; `top` is the best score. */
export function distribute(problem: Problem, top: number, columns: DistributionColumns): number {
  const totals = new Totals(problem);
  const mild = problem.alignment === "sum" && isMild(problem);
  new Weighing(problem, mild, top, totals).run();
  return totals.write(problem, mild ? 0 : top, columns);
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

class Totals {
  /** For each pair. */
  readonly pairs: Float64Array;
  /** For each candidate: eight lanes of the sets with a beginning that ends in it. */
  readonly beginnings: Float64Array;
  /** For beginnings of 0, 1, … members: eight lanes of the sets visited behind the current one. */
  readonly levels: Float64Array = new Float64Array(largestSet * lanes);
  /** For each size. */
  readonly sizes: Float64Array = new Float64Array(largestSet + 1);
  /** For each candidate: the set of it alone. */
  readonly singles: Float64Array;

  constructor({ count }: Problem) {
    this.pairs = new Float64Array((count * Math.max(0, count - 1)) / 2);
    this.beginnings = new Float64Array(count * lanes);
    this.singles = new Float64Array(count);
  }

  /** Writes probabilities, and returns log Z: `scale` more than that of the weights. */
  write({ count, positions }: Problem, scale: number, { inclusion, sizes }: DistributionColumns): number {
    const { singles, pairs } = this;
    for (let i = 0; i < count; i += 1) singles[i] = singles[i]! + totalOf(this.beginnings, i * lanes);
    let place = 0;
    for (let d = count - 2; d >= 0; d -= 1) {
      for (let e = d + 1; e < count; e += 1, place += 1) {
        singles[d] = singles[d]! + pairs[place]!;
        singles[e] = singles[e]! + pairs[place]!;
      }
    }
    inclusion.fill(0);
    sizes.fill(0);
    const z = this.sizes.reduce((sum, size) => sum + size, 0);
    if (z === 0) return Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i += 1) inclusion[positions[i]!] = singles[i]! / z;
    for (let size = 0; size < sizes.length; size += 1) sizes[size] = this.sizes[size]! / z;
    return scale + ln(z);
  }
}

/** The sum in a fixed tree: halves, quarters, the last two. */
function totalOf(numbers: Float64Array, at: number): number {
  const sum = (i: number): number => numbers[at + i]! + numbers[at + i + 4]!;
  return sum(0) + sum(2) + (sum(1) + sum(3));
}

/** Walks over all sets and adds up their weights. */
class Weighing {
  readonly #problem: Problem;
  /** Whether weights are products of exponentials; then all numbers below are exponentials, and joined by products. */
  readonly #mild: boolean;
  readonly #top: number;
  readonly #totals: Totals;
  readonly #first: Uint16Array;
  readonly #second: Uint16Array;
  /** X for beginnings of 0, 1, … members, and R of the last member of each. */
  readonly #xs: readonly Float64Array[];
  readonly #rows: readonly Float64Array[];
  readonly #logits: Float64Array;
  /** The pair scores of the size at hand. */
  readonly #scores: Float64Array;
  #size = 0;

  constructor(problem: Problem, mild: boolean, top: number, totals: Totals) {
    const { count, logits } = problem;
    const pairs = totals.pairs.length;
    this.#problem = problem;
    this.#mild = mild;
    this.#top = top;
    this.#totals = totals;
    this.#first = new Uint16Array(pairs);
    this.#second = new Uint16Array(pairs);
    let place = 0;
    for (let d = count - 2; d >= 0; d -= 1) {
      for (let e = d + 1; e < count; e += 1, place += 1) {
        this.#first[place] = d;
        this.#second[place] = e;
      }
    }
    this.#xs = Array.from({ length: largestSet - 1 }, () => new Float64Array(pairs));
    this.#rows = Array.from({ length: largestSet - 1 }, () => new Float64Array(pairs));
    this.#logits = logits.slice(0, count).map((logit) => (mild ? exp(logit) : logit));
    this.#scores = new Float64Array(count * count);
  }

  run(): void {
    const { emptyScore, largest, count, offsets } = this.#problem;
    const { sizes, singles } = this.#totals;
    if (!Number.isNaN(emptyScore)) sizes[0] = this.#mild ? exp(emptyScore) : weight(emptyScore - this.#top);
    if (largest === 0) return;
    for (let i = 0; i < count; i += 1) {
      members[0] = i;
      if (!admits(this.#problem, members, 1)) continue;
      const offset = offsets[0]!;
      singles[i] = this.#mild ? exp(offset) * this.#logits[i]! : weight(offset + this.#logits[i]! - this.#top);
      sizes[1] = sizes[1]! + singles[i]!;
    }
    for (let size = 2; size <= largest; size += 1) {
      if (offsets[size - 1] !== Number.NEGATIVE_INFINITY) this.#weighSize(size);
    }
  }

  #join(left: number, right: number): number {
    return this.#mild ? left * right : left + right;
  }

  #weighSize(size: number): void {
    const { pairs, count, offsets, alignment } = this.#problem;
    const { levels, sizes } = this.#totals;
    const matrix = (size - 2) * count * count;
    for (let i = 0; i < count * count; i += 1) {
      this.#scores[i] = this.#mild ? exp(pairs[matrix + i]!) : pairs[matrix + i]!;
    }
    const x = this.#xs[0]!;
    for (let p = 0; p < x.length; p += 1) {
      const [d, e] = [this.#first[p]!, this.#second[p]!];
      const pair = this.#scores[d * count + e]!;
      x[p] = alignment === "sum" ? this.#join(this.#join(this.#logits[d]!, this.#logits[e]!), pair) : pair;
    }
    this.#size = size;
    const offset = this.#mild ? exp(offsets[size - 1]!) : offsets[size - 1]!;
    if (size === 2) this.#weighRow(0, -1, offset, 0, 0);
    else this.#extend(0, 0, offset, 0, 0);
    sizes[size] = totalOf(levels, 0);
    levels.fill(0);
  }

  /** Goes on from a beginning of `length` members with candidates from `from` on; b, S0 and S1 are its own. */
  #extend(length: number, from: number, b: number, s0: number, s1: number): void {
    const { count, logits, weights, alignment } = this.#problem;
    const { levels, beginnings } = this.#totals;
    const sum = alignment === "sum";
    const last = length + 3 === this.#size;
    for (let a = from; a < count - 2; a += 1) {
      let row = this.#mild ? 1 : 0;
      for (let i = 0; i < length; i += 1) row = this.#join(row, this.#scores[members[i]! * count + a]!);
      const base = this.#join(b, sum ? this.#join(this.#logits[a]!, row) : row);
      members[length] = a;
      const rows = this.#rows[length]!;
      const behind = ((count - 1 - a) * (count - 2 - a)) / 2;
      for (let p = 0; p < behind; p += 1) {
        rows[p] = this.#join(this.#scores[a * count + this.#first[p]!]!, this.#scores[a * count + this.#second[p]!]!);
      }
      const next0 = sum ? 0 : s0 + weights[a]!;
      const next1 = sum ? 0 : s1 + logits[a]! * weights[a]!;
      if (last) {
        this.#weighRow(length, a, base, next0, next1);
        continue;
      }
      const [x, next] = [this.#xs[length]!, this.#xs[length + 1]!];
      for (let p = 0; p < behind; p += 1) next[p] = this.#join(x[p]!, rows[p]!);
      this.#extend(length + 1, a + 1, base, next0, next1);
      // All sets behind this beginning were visited.
      for (let lane = 0; lane < lanes; lane += 1) {
        const sumBehind = levels[(length + 1) * lanes + lane]!;
        levels[(length + 1) * lanes + lane] = 0;
        beginnings[a * lanes + lane] = beginnings[a * lanes + lane]! + sumBehind;
        levels[length * lanes + lane] = levels[length * lanes + lane]! + sumBehind;
      }
    }
  }

  /** Weighs the sets of a beginning of `length` members, the candidate a unless that is −1, and every pair behind it. */
  #weighRow(length: number, a: number, base: number, s0: number, s1: number): void {
    const { count, requiredCount, budget } = this.#problem;
    const { pairs, levels, beginnings } = this.#totals;
    const [x, rows] = [this.#xs[length]!, this.#rows[length]!];
    const behind = a < 0 ? x.length : ((count - 1 - a) * (count - 2 - a)) / 2;
    const constrained = requiredCount > 0 || budget !== Number.POSITIVE_INFINITY;
    rowTotal.fill(0);
    for (let p = 0; p < behind; p += 1) {
      const joined = a < 0 ? x[p]! : this.#join(x[p]!, rows[p]!);
      let value: number;
      if (this.#mild) value = base * joined;
      else if (this.#problem.alignment === "sum") value = weight(base + joined - this.#top);
      else value = weight(this.#softmaxScore(base + joined, s0, s1, p) - this.#top);
      if (constrained && !this.#admits(p)) value = 0;
      rowTotal[p % lanes] = rowTotal[p % lanes]! + value;
      pairs[p] = pairs[p]! + value;
    }
    for (let lane = 0; lane < lanes; lane += 1) {
      if (a >= 0) beginnings[a * lanes + lane] = beginnings[a * lanes + lane]! + rowTotal[lane]!;
      levels[length * lanes + lane] = levels[length * lanes + lane]! + rowTotal[lane]!;
    }
  }

  #softmaxScore(sum: number, s0: number, s1: number, pair: number): number {
    const { logits, weights } = this.#problem;
    const [d, e] = [this.#first[pair]!, this.#second[pair]!];
    const sum0 = s0 + (weights[d]! + weights[e]!);
    if (sum0 >= smallestSum) return sum + (s1 + (logits[d]! * weights[d]! + logits[e]! * weights[e]!)) / sum0;
    if (sum === Number.NEGATIVE_INFINITY) return sum;
    members[this.#size - 2] = d;
    members[this.#size - 1] = e;
    return score(this.#problem, members, this.#size);
  }

  #admits(pair: number): boolean {
    members[this.#size - 2] = this.#first[pair]!;
    members[this.#size - 1] = this.#second[pair]!;
    return admits(this.#problem, members, this.#size);
  }
}

const rowTotal: Float64Array = new Float64Array(lanes);
