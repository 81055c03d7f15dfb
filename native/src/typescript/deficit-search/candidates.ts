import { grownFloat64, grownInt32 } from "./grow.ts";

/** A tool more for a candidate, and what comes of adding it; used again for each. */
export interface Child {
  parent: number;
  tool: number;
  signature: number;
  /** The bits of the tools that will depend on the new one through links. */
  dependents: number;
  total: number;
  /** Ω of the tool. */
  support: number;
  /**
   * One behind the other: what is missing then, ascending; the bits of the parent's missing inputs that the tool
   * supports; the tool's inputs that are linked; the steps that added the tools they are linked to.
   */
  outcome: Int32Array;
  missingCount: number;
  coverWords: number;
  linkCount: number;
}

// Columns of a candidate's head.
const PARENT = 0;
const TOOLS = 1;
const SIGNATURE = 2;
const START = 3;
const MISSING = 4;
const COVER = 5;
const LINKS = 6;
const HEAD = 8;

/**
 * The candidates of one query, one behind the other in memory that queries reuse. A candidate is a terminal and the
 * tools added to it. In `words` stand, from its start on: its tools, as they were added, the terminal first, with room
 * for as many as there may be; as much room for the bits of the tools that depend on each through links; then what came
 * of the last step, as in {@link Child}.
 */
export class Candidates {
  words: Int32Array = new Int32Array(1024);
  length = 0;
  #heads: Int32Array = new Int32Array(32 * HEAD);
  /** Sum of Ω over the steps, and Ω of the last step, in turn. */
  #numbers: Float64Array = new Float64Array(32 * 2);
  #end = 0;
  #stride = 1;

  /** Forgets all candidates; the next have at most so many tools. */
  restart(mostTools: number): void {
    this.length = this.#end = 0;
    this.#stride = mostTools;
  }

  /** Forgets all candidates from `length` on. */
  truncate(length: number): void {
    if (length >= this.length) return;
    this.#end = this.start(length);
    this.length = length;
  }

  /** The candidate that this one has one tool more than; a terminal alone is its own. */
  parent(candidate: number): number {
    return this.#heads[candidate * HEAD + PARENT]!;
  }

  toolCount(candidate: number): number {
    return this.#heads[candidate * HEAD + TOOLS]!;
  }

  /** Sum of the tools' signatures, as a signed integer. */
  signature(candidate: number): number {
    return this.#heads[candidate * HEAD + SIGNATURE]!;
  }

  missingCount(candidate: number): number {
    return this.#heads[candidate * HEAD + MISSING]!;
  }

  /** Where its tools begin. */
  start(candidate: number): number {
    return this.#heads[candidate * HEAD + START]!;
  }

  dependents(candidate: number): number {
    return this.start(candidate) + this.#stride;
  }

  missing(candidate: number): number {
    return this.start(candidate) + 2 * this.#stride;
  }

  total(candidate: number): number {
    return this.#numbers[2 * candidate]!;
  }

  support(candidate: number): number {
    return this.#numbers[2 * candidate + 1]!;
  }

  terminal(candidate: number): number {
    return this.words[this.start(candidate)]!;
  }

  /** How many links the last step retained. */
  linkCount(candidate: number): number {
    const head = candidate * HEAD;
    const cover = this.missing(candidate) + this.#heads[head + MISSING]!;
    let count = this.#heads[head + LINKS]!;
    for (let i = 0; i < this.#heads[head + COVER]!; i += 1) count += countOnes(this.words[cover + i]!);
    return count;
  }

  /**
   * Writes the links of the last step into `target`: the inputs from one position on, from another the steps that added
   * the tools they are linked to. Says how many.
   */
  readLinks(candidate: number, target: Uint32Array, inputs: number, steps: number): number {
    const { words } = this;
    const head = candidate * HEAD;
    const step = this.toolCount(candidate) - 1;
    const lacking = this.missing(this.parent(candidate));
    const cover = this.missing(candidate) + this.#heads[head + MISSING]!;
    const coverWords = this.#heads[head + COVER]!;
    let count = 0;
    for (let word = 0; word < coverWords; word += 1) {
      for (let bits = words[cover + word]!; bits !== 0; bits &= bits - 1) {
        target[inputs + count] = words[lacking + word * 32 + lowestBit(bits)]!;
        target[steps + count] = step;
        count += 1;
      }
    }
    const own = cover + coverWords;
    const links = this.#heads[head + LINKS]!;
    for (let i = 0; i < links; i += 1) {
      target[inputs + count + i] = words[own + i]!;
      target[steps + count + i] = words[own + links + i]!;
    }
    return count + links;
  }

  /** Adds a terminal alone, which misses the first `count` of `missing`. */
  begin(terminal: number, missing: Int32Array, count: number): number {
    const start = this.#reserve(count);
    const { words } = this;
    words[start] = terminal;
    words[start + this.#stride] = 0;
    const to = start + 2 * this.#stride;
    for (let i = 0; i < count; i += 1) words[to + i] = missing[i]!;
    this.#end = to + count;
    const head = this.length * HEAD;
    this.#heads[head + PARENT] = this.length;
    this.#heads[head + TOOLS] = 1;
    this.#heads[head + SIGNATURE] = signatureOf(terminal);
    this.#heads[head + START] = start;
    this.#heads[head + MISSING] = count;
    this.#heads[head + COVER] = 0;
    this.#heads[head + LINKS] = 0;
    this.#numbers[2 * this.length] = 0;
    this.#numbers[2 * this.length + 1] = 0;
    this.length += 1;
    return this.length - 1;
  }

  /** Makes a child a candidate. */
  grow(child: Child): number {
    const { outcome, missingCount, coverWords, linkCount } = child;
    const length = missingCount + coverWords + 2 * linkCount;
    const step = this.toolCount(child.parent);
    const start = this.#reserve(length);
    const { words } = this;
    const from = this.start(child.parent);
    const stride = this.#stride;
    for (let i = 0; i < step; i += 1) {
      words[start + i] = words[from + i]!;
      words[start + stride + i] = words[from + stride + i]!;
    }
    words[start + step] = child.tool;
    words[start + stride + step] = child.dependents;
    const to = start + 2 * stride;
    for (let i = 0; i < length; i += 1) words[to + i] = outcome[i]!;
    for (let i = length - linkCount; i < length; i += 1)
      this.#depend(start + stride, step, outcome[i]!, child.dependents);
    this.#end = to + length;
    const head = this.length * HEAD;
    this.#heads[head + PARENT] = child.parent;
    this.#heads[head + TOOLS] = step + 1;
    this.#heads[head + SIGNATURE] = child.signature;
    this.#heads[head + START] = start;
    this.#heads[head + MISSING] = missingCount;
    this.#heads[head + COVER] = coverWords;
    this.#heads[head + LINKS] = linkCount;
    this.#numbers[2 * this.length] = child.total;
    this.#numbers[2 * this.length + 1] = child.support;
    this.length += 1;
    return this.length - 1;
  }

  /**
   * The tool of this step and all that depends on it now depend on the supporter, and on what the supporter depends on.
   */
  #depend(dependents: number, step: number, supporter: number, bits: number): void {
    const { words } = this;
    for (let i = 0; i < step; i += 1) {
      const isAbove = i === supporter || ((words[dependents + i]! >>> supporter) & 1) === 1;
      if (isAbove) words[dependents + i]! |= (1 << step) | bits;
    }
  }

  /**
   * Negative when the left comes first: best first; candidates with the same tools in the order of what they miss;
   * terminals last.
   */
  compare(left: number, right: number): number {
    return (
      this.missingCount(left) - this.missingCount(right) ||
      this.toolCount(left) - this.toolCount(right) ||
      this.total(right) - this.total(left) ||
      compareSets(this.words, this.start(left), this.start(right), this.toolCount(left)) ||
      this.#compareMissing(left, right) ||
      this.terminal(left) - this.terminal(right)
    );
  }

  /** Whether two candidates for the same terminal have the same tools. */
  hasToolsOf(left: number, right: number): boolean {
    return (
      this.signature(left) === this.signature(right) &&
      this.terminal(left) === this.terminal(right) &&
      this.toolCount(left) === this.toolCount(right) &&
      compareSets(this.words, this.start(left), this.start(right), this.toolCount(left)) === 0
    );
  }

  #compareMissing(left: number, right: number): number {
    const [from, other] = [this.missing(left), this.missing(right)];
    for (let i = 0; i < this.missingCount(left); i += 1) {
      const difference = this.words[from + i]! - this.words[other + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Where the next lists will stand, once there is room for one more candidate and what came of its last step. */
  #reserve(outcome: number): number {
    const end = this.#end + 2 * this.#stride + outcome;
    if (end > this.words.length) this.words = grownInt32(this.words, end);
    if ((this.length + 1) * HEAD > this.#heads.length) {
      this.#heads = grownInt32(this.#heads, (this.length + 1) * HEAD);
      this.#numbers = grownFloat64(this.#numbers, (this.length + 1) * 2);
    }
    return this.#end;
  }
}

/** A number that differs between most tools; sums of them tell most sets apart. */
export function signatureOf(tool: number): number {
  const mixed = Math.imul(tool ^ (tool >>> 16), 0x7feb352d);
  return Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
}

/** How many bits are set. */
export function countOnes(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The position of the lowest bit that is set. */
export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

const leftTools: Int32Array = new Int32Array(33);
const rightTools: Int32Array = new Int32Array(33);

/** Compares the ascending ordinals of two sets of `count` tools, each perhaps with one tool more. */
export function compareSets(
  words: Int32Array,
  left: number,
  right: number,
  count: number,
  moreLeft = -1,
  moreRight = -1,
): number {
  fillAscending(leftTools, words, left, count, moreLeft);
  fillAscending(rightTools, words, right, count, moreRight);
  const all = moreLeft < 0 ? count : count + 1;
  for (let i = 0; i < all; i += 1) {
    const difference = leftTools[i]! - rightTools[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function fillAscending(target: Int32Array, words: Int32Array, from: number, count: number, more: number): void {
  const all = more < 0 ? count : count + 1;
  for (let i = 0; i < all; i += 1) {
    const tool = i < count ? words[from + i]! : more;
    let place = i;
    for (; place > 0 && target[place - 1]! > tool; place -= 1) target[place] = target[place - 1]!;
    target[place] = tool;
  }
}
