import type { Candidates, Child } from "./candidates.ts";
import { grownFloat64, grownInt32 } from "./grow.ts";

// Columns of a child that was taken in.
const PARENT = 0;
const TOOL = 1;
const SIGNATURE = 2;
const COVER = 3;
const MISSING = 4;
const LINKS = 5;
const START = 6;
const HEAD = 7;

/** The best children of one step, before any of them is made: at most `width`, best first. */
export class Beam {
  length = 0;
  #width = 0;
  /** Which children are in, best first. */
  #order: Int32Array = new Int32Array(16);
  #heads: Int32Array = new Int32Array(16 * HEAD);
  /** Total and Ω in turn. */
  #numbers: Float64Array = new Float64Array(16 * 2);
  /** Cover, missing inputs, linked inputs and the steps they are linked to, one child behind the other. */
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
    const coverWords = this.#heads[head + COVER]!;
    const missing = this.#heads[head + MISSING]!;
    const links = this.#heads[head + LINKS]!;
    const start = this.#heads[head + START]!;
    child.parent = this.#heads[head + PARENT]!;
    child.tool = this.#heads[head + TOOL]!;
    child.signature = this.#heads[head + SIGNATURE]!;
    child.total = this.#numbers[2 * taken]!;
    child.support = this.#numbers[2 * taken + 1]!;
    if (child.cover.length < coverWords) child.cover = grownInt32(child.cover, coverWords);
    if (child.missing.length < missing) child.missing = grownInt32(child.missing, missing);
    if (child.linkInputs.length < links) {
      child.linkInputs = grownInt32(child.linkInputs, links);
      child.linkSteps = grownInt32(child.linkSteps, links);
    }
    let from = start;
    for (let i = 0; i < coverWords; i += 1) child.cover[i] = this.#words[from++]!;
    for (let i = 0; i < missing; i += 1) child.missing[i] = this.#words[from++]!;
    for (let i = 0; i < links; i += 1) child.linkInputs[i] = this.#words[from++]!;
    for (let i = 0; i < links; i += 1) child.linkSteps[i] = this.#words[from++]!;
    child.coverWords = coverWords;
    child.missingCount = missing;
    child.linkCount = links;
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
    const from = this.#heads[taken * HEAD + START]! + this.#heads[taken * HEAD + COVER]!;
    for (let i = 0; i < child.missingCount; i += 1) {
      const difference = this.#words[from + i]! - child.missing[i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Compares the tools of both, ascending; each is a parent's with one more. */
  #compareTools(taken: number, child: Child, candidates: Candidates): number {
    const { words } = candidates;
    const count = candidates.toolCount(child.parent);
    let left = candidates.sorted(this.#heads[taken * HEAD + PARENT]!);
    let right = candidates.sorted(child.parent);
    let leftTool = this.#heads[taken * HEAD + TOOL]!;
    let rightTool = child.tool;
    const [leftEnd, rightEnd] = [left + count, right + count];
    for (let i = 0; i <= count; i += 1) {
      const leftIsNew = left === leftEnd || leftTool < words[left]!;
      const rightIsNew = right === rightEnd || rightTool < words[right]!;
      const difference = (leftIsNew ? leftTool : words[left]!) - (rightIsNew ? rightTool : words[right]!);
      if (difference !== 0) return difference;
      // A tool that was passed never comes before another again.
      if (leftIsNew) leftTool = 2 ** 31;
      else left += 1;
      if (rightIsNew) rightTool = 2 ** 31;
      else right += 1;
    }
    return 0;
  }

  #keep(child: Child): number {
    const { coverWords, missingCount, linkCount } = child;
    const taken = this.#taken;
    if ((taken + 1) * HEAD > this.#heads.length) {
      this.#heads = grownInt32(this.#heads, (taken + 1) * HEAD);
      this.#numbers = grownFloat64(this.#numbers, (taken + 1) * 2);
    }
    const start = this.#end;
    const end = start + coverWords + missingCount + 2 * linkCount;
    if (end > this.#words.length) this.#words = grownInt32(this.#words, end);
    const head = taken * HEAD;
    this.#heads[head + PARENT] = child.parent;
    this.#heads[head + TOOL] = child.tool;
    this.#heads[head + SIGNATURE] = child.signature;
    this.#heads[head + COVER] = coverWords;
    this.#heads[head + MISSING] = missingCount;
    this.#heads[head + LINKS] = linkCount;
    this.#heads[head + START] = start;
    this.#numbers[2 * taken] = child.total;
    this.#numbers[2 * taken + 1] = child.support;
    let to = start;
    for (let i = 0; i < coverWords; i += 1) this.#words[to++] = child.cover[i]!;
    for (let i = 0; i < missingCount; i += 1) this.#words[to++] = child.missing[i]!;
    for (let i = 0; i < linkCount; i += 1) this.#words[to++] = child.linkInputs[i]!;
    for (let i = 0; i < linkCount; i += 1) this.#words[to++] = child.linkSteps[i]!;
    this.#end = end;
    this.#taken = taken + 1;
    return taken;
  }
}
