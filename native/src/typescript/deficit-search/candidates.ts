import { grownFloat64, grownInt32 } from "./grow.ts";

/** A tool more for a candidate, and what comes of adding it; used again for each. */
export interface Child {
  parent: number;
  tool: number;
  signature: number;
  total: number;
  /** Ω of the tool. */
  support: number;
  /** The bits of the parent's missing inputs that the tool supports. */
  cover: Int32Array;
  coverWords: number;
  /** What is missing then, ascending. */
  missing: Int32Array;
  missingCount: number;
  /** The tool's inputs that are linked, … */
  linkInputs: Int32Array;
  /** … and beside them by which step the supporting tool was added. */
  linkSteps: Int32Array;
  linkCount: number;
}

// Columns of a candidate's head.
const PARENT = 0;
const TOOLS = 1;
const MISSING = 2;
const LINKS = 3;
const SIGNATURE = 4;
const START = 5;
const HEAD = 6;

/**
 * The candidates of one query, one behind the other in memory that queries reuse. A candidate is a terminal and the tools added to it.
 * Its lists stand in `words` from its start on: the tools in the order in which they were added; the tools in ascending order; for each tool, as they were
 * added, the bits of the tools that depend on it; the missing inputs, ascending; the step that added the tool of each; the inputs linked by the last step;
 * the steps that added the tools they are linked to.
 */
export class Candidates {
  words: Int32Array = new Int32Array(1024);
  length = 0;
  #heads: Int32Array = new Int32Array(32 * HEAD);
  /** Sum of Ω over the steps, and Ω of the last step, in turn. */
  #numbers: Float64Array = new Float64Array(32 * 2);
  #end = 0;

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

  missingCount(candidate: number): number {
    return this.#heads[candidate * HEAD + MISSING]!;
  }

  linkCount(candidate: number): number {
    return this.#heads[candidate * HEAD + LINKS]!;
  }

  /** Sum of the tools' signatures, as a signed integer. */
  signature(candidate: number): number {
    return this.#heads[candidate * HEAD + SIGNATURE]!;
  }

  /** Where its lists begin: its tools, the terminal first. */
  start(candidate: number): number {
    return this.#heads[candidate * HEAD + START]!;
  }

  sorted(candidate: number): number {
    return this.start(candidate) + this.toolCount(candidate);
  }

  dependents(candidate: number): number {
    return this.start(candidate) + 2 * this.toolCount(candidate);
  }

  missing(candidate: number): number {
    return this.start(candidate) + 3 * this.toolCount(candidate);
  }

  links(candidate: number): number {
    return this.missing(candidate) + 2 * this.missingCount(candidate);
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

  /** Adds a terminal alone, which misses the first `count` of `missing`. */
  begin(terminal: number, missing: Int32Array, count: number): number {
    const start = this.#reserve(3 + 2 * count);
    const { words } = this;
    words[start] = words[start + 1] = terminal;
    words[start + 2] = 0;
    for (let i = 0; i < count; i += 1) {
      words[start + 3 + i] = missing[i]!;
      words[start + 3 + count + i] = 0;
    }
    this.#end = start + 3 + 2 * count;
    return this.#add(this.length, 1, count, 0, signatureOf(terminal), start, 0, 0);
  }

  /** Makes a child a candidate. */
  grow(child: Child): number {
    const { parent, tool, cover, coverWords, missing, missingCount, linkInputs, linkSteps, linkCount } = child;
    const step = this.toolCount(parent);
    let supported = 0;
    for (let word = 0; word < coverWords; word += 1) supported += countOnes(cover[word]!);
    const links = supported + linkCount;
    const start = this.#reserve(3 * (step + 1) + 2 * (missingCount + links));
    const { words } = this;
    const from = this.start(parent);
    let to = start;
    for (let i = 0; i < step; i += 1) words[to++] = words[from + i]!;
    words[to++] = tool;
    let rank = 0;
    while (rank < step && words[from + step + rank]! < tool) words[to++] = words[from + step + rank++]!;
    words[to++] = tool;
    while (rank < step) words[to++] = words[from + step + rank++]!;
    const dependents = this.dependentsOn(parent, cover, coverWords);
    this.#copyDependents(from + 2 * step, to, step, child, dependents);
    to += step + 1;
    const oldMissing = from + 3 * step;
    const oldCount = this.missingCount(parent);
    for (let i = 0, old = 0; i < missingCount; i += 1) {
      const input = missing[i]!;
      while (old < oldCount && words[oldMissing + old]! < input) old += 1;
      words[to + i] = input;
      // What the parent did not miss is an input of the new tool.
      const isOld = old < oldCount && words[oldMissing + old] === input;
      words[to + missingCount + i] = isOld ? words[oldMissing + oldCount + old]! : step;
    }
    to += 2 * missingCount;
    for (
      let position = nextBit(cover, coverWords, 0);
      position >= 0;
      position = nextBit(cover, coverWords, position + 1)
    ) {
      words[to] = words[oldMissing + position]!;
      words[to + links] = step;
      to += 1;
    }
    for (let i = 0; i < linkCount; i += 1) {
      words[to + i] = linkInputs[i]!;
      words[to + links + i] = linkSteps[i]!;
    }
    this.#end = to + linkCount + links;
    return this.#add(parent, step + 1, missingCount, links, child.signature, start, child.total, child.support);
  }

  /** The parent's bits, with what the new tool's own links add to them. */
  #copyDependents(from: number, to: number, step: number, child: Child, dependents: number): void {
    const { words } = this;
    for (let i = 0; i < step; i += 1) words[to + i] = words[from + i]!;
    words[to + step] = dependents;
    for (let link = 0; link < child.linkCount; link += 1) {
      const supporter = child.linkSteps[link]!;
      for (let i = 0; i < step; i += 1) {
        if (i === supporter || ((words[to + i]! >>> supporter) & 1) === 1) words[to + i]! |= (1 << step) | dependents;
      }
    }
  }

  /** The bits of the tools that will depend on one which supports what `cover` says: the owners, and what depends on these. */
  dependentsOn(candidate: number, cover: Int32Array, coverWords: number): number {
    const { words } = this;
    const owners = this.missing(candidate) + this.missingCount(candidate);
    const dependents = this.dependents(candidate);
    let bits = 0;
    for (
      let position = nextBit(cover, coverWords, 0);
      position >= 0;
      position = nextBit(cover, coverWords, position + 1)
    ) {
      const owner = words[owners + position]!;
      bits |= (1 << owner) | words[dependents + owner]!;
    }
    return bits;
  }

  /** Negative when the left comes first: best first; candidates with the same tools in the order of what they miss; terminals last. */
  compare(left: number, right: number): number {
    return (
      this.missingCount(left) - this.missingCount(right) ||
      this.toolCount(left) - this.toolCount(right) ||
      this.total(right) - this.total(left) ||
      this.#compareLists(this.sorted(left), this.sorted(right), this.toolCount(left)) ||
      this.#compareLists(this.missing(left), this.missing(right), this.missingCount(left)) ||
      this.terminal(left) - this.terminal(right)
    );
  }

  /** Whether two candidates for the same terminal have the same tools. */
  hasToolsOf(left: number, right: number): boolean {
    return (
      this.signature(left) === this.signature(right) &&
      this.terminal(left) === this.terminal(right) &&
      this.toolCount(left) === this.toolCount(right) &&
      this.#compareLists(this.sorted(left), this.sorted(right), this.toolCount(left)) === 0
    );
  }

  #compareLists(left: number, right: number, count: number): number {
    const { words } = this;
    for (let i = 0; i < count; i += 1) {
      const difference = words[left + i]! - words[right + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #add(
    parent: number,
    tools: number,
    missing: number,
    links: number,
    signature: number,
    start: number,
    total: number,
    support: number,
  ): number {
    const candidate = this.length;
    const head = candidate * HEAD;
    this.#heads[head + PARENT] = parent;
    this.#heads[head + TOOLS] = tools;
    this.#heads[head + MISSING] = missing;
    this.#heads[head + LINKS] = links;
    this.#heads[head + SIGNATURE] = signature;
    this.#heads[head + START] = start;
    this.#numbers[2 * candidate] = total;
    this.#numbers[2 * candidate + 1] = support;
    this.length = candidate + 1;
    return candidate;
  }

  /** Where the next lists will stand, once there is room for so many words and one more candidate. */
  #reserve(words: number): number {
    if (this.#end + words > this.words.length) this.words = grownInt32(this.words, this.#end + words);
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

/** The first position from `from` on whose bit is set, or −1. */
function nextBit(words: Int32Array, count: number, from: number): number {
  for (let word = from >>> 5; word < count; word += 1) {
    const bits = word === from >>> 5 ? words[word]! & (-1 << (from & 31)) : words[word]!;
    if (bits !== 0) return word * 32 + 31 - Math.clz32(bits & -bits);
  }
  return -1;
}
