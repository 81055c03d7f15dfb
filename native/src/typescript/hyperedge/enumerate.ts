/**
 * The exact best sets by enumeration.
 *
 * Sizes ascend, and within a size sets come in lexicographic order: a beginning a₁ < … < aₖ, then the pairs d < e behind it, which are
 * listed by d and then e, so that those behind aₖ are the rest of the list. A beginning keeps X[pair], the x of `score`, and the next
 * member adds R[a][pair] = G[a, d] + G[a, e]; so every set costs an addition, and the innermost level only compares. Since sets come in
 * the order in which equal scores are ranked, a set must surpass the worst of the best once they are as many as wanted.
 */
import { largestSet } from "../../hyperedge-request.ts";
import type { BestSets } from "./best-sets.ts";
import { marginOf } from "./margin.ts";
import type { Problem } from "./problem.ts";
import { admits, score, smallestSum } from "./score.ts";

/** Lists of all pairs of the candidates, and what a beginning of each length keeps; grown to the largest pool seen. */
interface Tables {
  readonly candidates: number;
  /** d and e of each pair. */
  readonly first: Uint16Array;
  readonly second: Uint16Array;
  /** Where the pairs behind each candidate begin. */
  readonly starts: Uint32Array;
  /** Softmax: w_d + w_e and l_d·w_d + l_e·w_e. */
  readonly s0: Float64Array;
  readonly s1: Float64Array;
  /** X for beginnings of 0, 1, … members. */
  readonly xs: readonly Float64Array[];
  /** R of each candidate for the size at hand, where the pool is small enough to keep them. */
  readonly rows: Float64Array;
  /** Else R of the last member of beginnings of 1, 2, … */
  readonly single: readonly Float64Array[];
}

/** Up to so many candidates R is kept of all of them: 32 MB. */
const mostKept = 200;

let tables: Tables = createTables(0);
const members: Uint16Array = new Uint16Array(largestSet);

/** Offers every set that may be answered and is among the best; `best` has been restarted. */
export function enumerateSets(problem: Problem, best: BestSets): void {
  if (problem.count > tables.candidates) tables = createTables(problem.count);
  if (!Number.isNaN(problem.emptyScore)) best.offer(problem.emptyScore, members, 0);
  if (problem.largest === 0) return;
  for (let index = 0; index < problem.count; index += 1) {
    members[0] = index;
    if (admits(problem, members, 1)) best.offer(score(problem, members, 1), members, 1);
  }
  if (problem.largest < 2) return;
  fillPairs(problem);
  const walk = new Walk(problem, best, tables);
  for (let size = 2; size <= problem.largest; size += 1) walk.size(size);
}

class Walk {
  readonly #problem: Problem;
  readonly #best: BestSets;
  readonly #tables: Tables;
  readonly #pairs: number;
  readonly #sum: boolean;
  readonly #margin: number;
  /** Whether a sum of exponentials can be so small that it has lost digits. */
  readonly #mayVanish: boolean;
  /** How many required candidates stand before each. */
  readonly #requiredBefore: Uint16Array;
  #size = 0;
  /** Where the pair scores of the size begin. */
  #matrix = 0;

  constructor(problem: Problem, best: BestSets, used: Tables) {
    this.#problem = problem;
    this.#best = best;
    this.#tables = used;
    this.#pairs = (problem.count * (problem.count - 1)) / 2;
    this.#sum = problem.alignment === "sum";
    this.#margin = marginOf(problem);
    this.#mayVanish = !this.#sum && problem.weights.subarray(0, problem.count).some((weight) => weight < smallestSum);
    this.#requiredBefore = new Uint16Array(problem.count);
    let before = 0;
    for (let i = 0; i < problem.count; i += 1) {
      this.#requiredBefore[i] = before;
      before += problem.required[i]!;
    }
  }

  size(size: number): void {
    const { pairs, count, logits, offsets, requiredCount } = this.#problem;
    const offset = offsets[size - 1]!;
    if (offset === Number.NEGATIVE_INFINITY || requiredCount > size) return;
    const { first, second, xs } = this.#tables;
    const matrix = (size - 2) * count * count;
    const x = xs[0]!;
    for (let p = 0; p < this.#pairs; p += 1) {
      const [d, e] = [first[p]!, second[p]!];
      const pair = pairs[matrix + d * count + e]!;
      x[p] = this.#sum ? logits[d]! + logits[e]! + pair : pair;
    }
    this.#size = size;
    this.#matrix = matrix;
    if (size > 2 && this.#keepsRows()) {
      for (let a = 0; a < count; a += 1) this.#fillRow(this.#tables.rows, a * this.#pairs, a);
    }
    this.#extend(0, 0, offset, 0, 0, 0, 0);
  }

  #keepsRows(): boolean {
    return this.#tables.candidates <= mostKept;
  }

  /** R of a candidate, for the pairs behind it. */
  #fillRow(rows: Float64Array, to: number, a: number): void {
    const { pairs, count } = this.#problem;
    const { first, second, starts } = this.#tables;
    const row = this.#matrix + a * count;
    for (let p = starts[a]!; p < this.#pairs; p += 1) rows[to + p] = pairs[row + first[p]!]! + pairs[row + second[p]!]!;
  }

  /** Goes on from a beginning of `length` members with candidates from `from` on; b, S0, S1, required ones and tokens are its own. */
  #extend(length: number, from: number, b: number, s0: number, s1: number, required: number, spent: number): void {
    if (length + 2 === this.#size) {
      // A set of two has no beginning: all pairs stand behind nothing.
      this.#lookAtPairs(b);
      return;
    }
    if (length + 3 === this.#size) {
      if (this.#sum) this.#finishSum(length, from, b, required, spent);
      else this.#finishSoftmax(length, from, b, s0, s1, required, spent);
      return;
    }
    const { count, logits, weights, tokens, budget } = this.#problem;
    const { starts, xs, single } = this.#tables;
    const keeps = this.#keepsRows();
    const rows = keeps ? this.#tables.rows : single[length]!;
    const [x, next] = [xs[length]!, xs[length + 1]!];
    const end = count - (this.#size - length) + 1;
    for (let a = from; a < end; a += 1) {
      // What was passed over must not be required.
      if (this.#requiredBefore[a] !== required) return;
      const cost = spent + tokens[a]!;
      const base = b + (this.#sum ? logits[a]! + this.#rowOf(length, a) : this.#rowOf(length, a));
      if (cost > budget || base === Number.NEGATIVE_INFINITY) continue;
      members[length] = a;
      const r = keeps ? a * this.#pairs : 0;
      if (!keeps) this.#fillRow(rows, 0, a);
      for (let p = starts[a]!; p < this.#pairs; p += 1) next[p] = x[p]! + rows[r + p]!;
      const next0 = this.#sum ? 0 : s0 + weights[a]!;
      const next1 = this.#sum ? 0 : s1 + logits[a]! * weights[a]!;
      this.#extend(length + 1, a + 1, base, next0, next1, required + this.#problem.required[a]!, cost);
    }
  }

  /** The pairs of a candidate with the first `length` members. */
  #rowOf(length: number, a: number): number {
    const { pairs, count } = this.#problem;
    let row = 0;
    for (let i = 0; i < length; i += 1) row += pairs[this.#matrix + members[i]! * count + a]!;
    return row;
  }

  /** Looks at the sets of a beginning, one more candidate and a pair behind it. Numbers stay in one function, or they would be boxed. */
  #finishSum(length: number, from: number, b: number, required: number, spent: number): void {
    const { pairs, count, logits, tokens, budget } = this.#problem;
    const { starts, xs, single } = this.#tables;
    const requiredBefore = this.#requiredBefore;
    const keeps = this.#keepsRows();
    const rows = keeps ? this.#tables.rows : single[length]!;
    const x = xs[length]!;
    const matrix = this.#matrix;
    const end = this.#pairs;
    let limit = this.#best.threshold;
    for (let a = from; a < count - 2; a += 1) {
      if (requiredBefore[a] !== required) return;
      let row = 0;
      for (let i = 0; i < length; i += 1) row += pairs[matrix + members[i]! * count + a]!;
      const base = b + (logits[a]! + row);
      if (spent + tokens[a]! > budget || base === Number.NEGATIVE_INFINITY) continue;
      members[length] = a;
      if (!keeps) this.#fillRow(rows, 0, a);
      const r = keeps ? a * end : 0;
      for (let p = starts[a]!; p < end; p += 1) {
        const value = base + (x[p]! + rows[r + p]!);
        if (value > limit) limit = this.#offer(value, p);
      }
    }
  }

  /** The same for softmax, without a division: b + x + S1 / S0 surpasses the limit where S1 + (b + x − limit) · S0 > 0, but for rounding. */
  #finishSoftmax(
    length: number,
    from: number,
    b: number,
    s0: number,
    s1: number,
    required: number,
    spent: number,
  ): void {
    const { pairs, count, logits, weights, tokens, budget } = this.#problem;
    const { starts, xs, single, s0: pair0, s1: pair1 } = this.#tables;
    const requiredBefore = this.#requiredBefore;
    const keeps = this.#keepsRows();
    const rows = keeps ? this.#tables.rows : single[length]!;
    const x = xs[length]!;
    const matrix = this.#matrix;
    const margin = this.#margin;
    const mayVanish = this.#mayVanish;
    const end = this.#pairs;
    let limit = this.#best.threshold;
    for (let a = from; a < count - 2; a += 1) {
      if (requiredBefore[a] !== required) return;
      let row = 0;
      for (let i = 0; i < length; i += 1) row += pairs[matrix + members[i]! * count + a]!;
      const base = b + row;
      if (spent + tokens[a]! > budget || base === Number.NEGATIVE_INFINITY) continue;
      members[length] = a;
      if (!keeps) this.#fillRow(rows, 0, a);
      const r = keeps ? a * end : 0;
      const first0 = s0 + weights[a]!;
      const first1 = s1 + logits[a]! * weights[a]!;
      let shift = base - limit + margin;
      for (let p = starts[a]!; p < end; p += 1) {
        const sum0 = first0 + pair0[p]!;
        const sum1 = first1 + pair1[p]!;
        const value = x[p]! + rows[r + p]!;
        if (sum1 + (value + shift) * sum0 < 0 && (!mayVanish || sum0 >= smallestSum)) continue;
        limit = this.#offerSoftmax(base + value, sum0, sum1, p);
        shift = base - limit + margin;
      }
    }
  }

  #lookAtPairs(b: number): void {
    const { xs, s0, s1 } = this.#tables;
    const x = xs[0]!;
    for (let p = 0; p < this.#pairs; p += 1) {
      if (this.#sum) this.#offer(b + x[p]!, p);
      // A sum begins with 0, also where it is minus zero.
      else this.#offerSoftmax(b + x[p]!, s0[p]!, 0 + s1[p]!, p);
    }
  }

  #offerSoftmax(value: number, sum0: number, sum1: number, pair: number): number {
    if (sum0 >= smallestSum) return this.#offer(value + sum1 / sum0, pair);
    return this.#offer(undefined, pair);
  }

  /** Offers the set that ends in a pair, scored by the definition where its score is not known; gives the new limit. */
  #offer(value: number | undefined, pair: number): number {
    const best = this.#best;
    const size = this.#size;
    if (value !== undefined && !(value > best.threshold)) return best.threshold;
    members[size - 2] = this.#tables.first[pair]!;
    members[size - 1] = this.#tables.second[pair]!;
    const known = value ?? score(this.#problem, members, size);
    if (known > best.threshold && admits(this.#problem, members, size)) best.offer(known, members, size);
    return best.threshold;
  }
}

function fillPairs({ count, logits, weights, alignment }: Problem): void {
  const { first, second, starts, s0, s1 } = tables;
  let p = 0;
  for (let d = 0; d < count; d += 1) {
    for (let e = d + 1; e < count; e += 1, p += 1) {
      first[p] = d;
      second[p] = e;
    }
    starts[d] = p;
  }
  if (alignment === "sum") return;
  for (let i = 0; i < p; i += 1) {
    const [d, e] = [first[i]!, second[i]!];
    s0[i] = weights[d]! + weights[e]!;
    s1[i] = logits[d]! * weights[d]! + logits[e]! * weights[e]!;
  }
}

function createTables(candidates: number): Tables {
  const pairs = (candidates * Math.max(0, candidates - 1)) / 2;
  return {
    candidates,
    first: new Uint16Array(pairs),
    second: new Uint16Array(pairs),
    starts: new Uint32Array(candidates),
    s0: new Float64Array(pairs),
    s1: new Float64Array(pairs),
    xs: Array.from({ length: largestSet - 1 }, () => new Float64Array(pairs)),
    rows: new Float64Array(candidates <= mostKept ? candidates * pairs : 0),
    single: Array.from({ length: largestSet - 2 }, () => new Float64Array(candidates <= mostKept ? 0 : pairs)),
  };
}
