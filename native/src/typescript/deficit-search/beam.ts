import { type Candidates, type Child, compareSets } from "./candidates.ts";
import { grownFloat64, grownInt32 } from "./grow.ts";

// Columns of a child that was taken in.
const PARENT = 0;
const TOOL = 1;
const SIGNATURE = 2;
const DEPENDENTS = 3;
const MISSING = 4;
const COVER = 5;
const LINKS = 6;
const START = 7;
const HEAD = 8;

/** The best children of one step, before any of them is made: at most `width`, best first. */
export class Beam {
  length = 0;
  #width = 0;
  /** Which children are in, best first. */
  #order: Int32Array = new Int32Array(16);
  #heads: Int32Array = new Int32Array(16 * HEAD);
  /** Total and Ω in turn. */
  #numbers: Float64Array = new Float64Array(16 * 2);
  /** What comes of each child, one behind the other. */
  #words: Int32Array = new Int32Array(256);
  #taken = 0;
  #end = 0;
  #worstMissing = 0;
  #worstTotal = 0;

  restart(width: number): void {
    if (this.#order.length < width) this.#order = grownInt32(this.#order, width);
    this.#width = width;
    this.length = this.#taken = this.#end = 0;
  }

  /** Whether a child with at least so many missing inputs and this total stays outside. */
  rejects(missing: number, total: number): boolean {
    if (this.length < this.#width) return false;
    return missing > this.#worstMissing || (missing === this.#worstMissing && total < this.#worstTotal);
  }

  /** Takes a child in, unless it has an equal or enough better ones. */
  offer(child: Child, candidates: Candidates): void {
    for (let place = 0; place < this.length; place += 1) {
      if (!this.#isEqual(this.#order[place]!, child, candidates)) continue;
      if (child.total <= this.#numbers[2 * this.#order[place]!]!) return;
      this.#order.copyWithin(place, place + 1, this.length);
      this.length -= 1;
      break;
    }
    let place = this.length;
    while (place > 0 && this.#compare(this.#order[place - 1]!, child, candidates) > 0) place -= 1;
    if (place >= this.#width) return;
    if (this.length < this.#width) this.length += 1;
    for (let behind = this.length - 1; behind > place; behind -= 1) this.#order[behind] = this.#order[behind - 1]!;
    this.#order[place] = this.#keep(child);
    const worst = this.#order[this.length - 1]!;
    this.#worstMissing = this.#heads[worst * HEAD + MISSING]!;
    this.#worstTotal = this.#numbers[2 * worst]!;
  }

  /** Writes the child at a place, best first, into `child`. */
  read(place: number, child: Child): void {
    const taken = this.#order[place]!;
    const head = taken * HEAD;
    child.parent = this.#heads[head + PARENT]!;
    child.tool = this.#heads[head + TOOL]!;
    child.signature = this.#heads[head + SIGNATURE]!;
    child.dependents = this.#heads[head + DEPENDENTS]!;
    child.missingCount = this.#heads[head + MISSING]!;
    child.coverWords = this.#heads[head + COVER]!;
    child.linkCount = this.#heads[head + LINKS]!;
    child.total = this.#numbers[2 * taken]!;
    child.support = this.#numbers[2 * taken + 1]!;
    const from = this.#heads[head + START]!;
    const length = lengthOf(child);
    if (child.outcome.length < length) child.outcome = grownInt32(child.outcome, length);
    for (let i = 0; i < length; i += 1) child.outcome[i] = this.#words[from + i]!;
  }

  /** The same tools, and the same is missing. */
  #isEqual(taken: number, child: Child, candidates: Candidates): boolean {
    return (
      this.#heads[taken * HEAD + SIGNATURE] === child.signature &&
      this.#heads[taken * HEAD + MISSING] === child.missingCount &&
      this.#compareMissing(taken, child) === 0 &&
      this.#compareTools(taken, child, candidates) === 0
    );
  }

  /** Positive when the child comes before the one that was taken. */
  #compare(taken: number, child: Child, candidates: Candidates): number {
    return (
      this.#heads[taken * HEAD + MISSING]! - child.missingCount ||
      child.total - this.#numbers[2 * taken]! ||
      this.#compareTools(taken, child, candidates) ||
      this.#compareMissing(taken, child)
    );
  }

  #compareMissing(taken: number, child: Child): number {
    const from = this.#heads[taken * HEAD + START]!;
    for (let i = 0; i < child.missingCount; i += 1) {
      const difference = this.#words[from + i]! - child.outcome[i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Compares the tools of both, ascending; each has a parent's and one more. */
  #compareTools(taken: number, child: Child, candidates: Candidates): number {
    const parent = this.#heads[taken * HEAD + PARENT]!;
    const tool = this.#heads[taken * HEAD + TOOL]!;
    const [left, right] = [candidates.start(parent), candidates.start(child.parent)];
    return compareSets(candidates.words, left, right, candidates.toolCount(parent), tool, child.tool);
  }

  #keep(child: Child): number {
    const taken = this.#taken;
    if ((taken + 1) * HEAD > this.#heads.length) {
      this.#heads = grownInt32(this.#heads, (taken + 1) * HEAD);
      this.#numbers = grownFloat64(this.#numbers, (taken + 1) * 2);
    }
    const start = this.#end;
    const length = lengthOf(child);
    if (start + length > this.#words.length) this.#words = grownInt32(this.#words, start + length);
    const head = taken * HEAD;
    this.#heads[head + PARENT] = child.parent;
    this.#heads[head + TOOL] = child.tool;
    this.#heads[head + SIGNATURE] = child.signature;
    this.#heads[head + DEPENDENTS] = child.dependents;
    this.#heads[head + MISSING] = child.missingCount;
    this.#heads[head + COVER] = child.coverWords;
    this.#heads[head + LINKS] = child.linkCount;
    this.#heads[head + START] = start;
    this.#numbers[2 * taken] = child.total;
    this.#numbers[2 * taken + 1] = child.support;
    for (let i = 0; i < length; i += 1) this.#words[start + i] = child.outcome[i]!;
    this.#end = start + length;
    this.#taken = taken + 1;
    return taken;
  }
}

function lengthOf({ missingCount, coverWords, linkCount }: Child): number {
  return missingCount + coverWords + 2 * linkCount;
}
