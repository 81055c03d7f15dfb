import type { Candidates } from "./candidates.ts";
import type { ProducerGraph } from "./graph.ts";
import { grownFloat64, grownInt32 } from "./grow.ts";

/** What a tool may be added under. */
export interface Rules {
  /** Bits of tools that may not be added, or nothing where all may. */
  readonly barred: Int32Array | undefined;
  /** A factor for every tool's Ω. */
  readonly relevance: Float32Array | undefined;
  /** K. */
  readonly producers: number;
}

/** One candidate's look at the producers of what it misses. */
export class Expansion {
  readonly #graph: ProducerGraph;
  /** For each tool 0, its entry + 1, or when it is chosen −1 − its step. All 0 between uses. */
  readonly #slots: Int32Array;
  // The tools that support something missing, the sum of each one's weights so far (then Ω), and the bits of what it
  // supports.
  #tools: Int32Array = new Int32Array(256);
  #omegas: Float64Array = new Float64Array(256);
  #covers: Int32Array = new Int32Array(256);
  #count = 0;
  /** For each entry the bits beyond the first word, `more` words. */
  #furtherCovers: Int32Array = new Int32Array(0);
  #more = 0;
  /** The best entries, best first. */
  #picked: Int32Array = new Int32Array(16);

  constructor(graph: ProducerGraph) {
    this.#graph = graph;
    this.#slots = new Int32Array(graph.toolCount);
  }

  /** After an error in the middle of a search. */
  forget(): void {
    this.#slots.fill(0);
  }

  /** Marks the tools of a candidate as chosen, for all that follows until they are unmarked. */
  choose(candidates: Candidates, candidate: number): void {
    const start = candidates.start(candidate);
    for (let step = candidates.toolCount(candidate) - 1; step >= 0; step -= 1) {
      this.#slots[candidates.words[start + step]!] = -1 - step;
    }
  }

  unchoose(candidates: Candidates, candidate: number): void {
    const start = candidates.start(candidate);
    for (let step = candidates.toolCount(candidate) - 1; step >= 0; step -= 1) {
      this.#slots[candidates.words[start + step]!] = 0;
    }
  }

  /** The step at which a chosen tool was added. */
  stepOf(tool: number): number {
    return -1 - this.#slots[tool]!;
  }

  /** Finds the best tools, K at most, for what the candidate misses whose tools are marked; says how many. */
  gather(candidates: Candidates, candidate: number, rules: Rules): number {
    const missing = candidates.missing(candidate);
    const last = candidates.missingCount(candidate) - 1;
    this.#more = last >>> 5;
    this.#count = 0;
    for (let position = 0; position < last; position += 1) {
      this.#gatherRow(candidates.words[missing + position]!, position);
    }
    // With factors any new tool of the last row may be among the best, without them only the first.
    if (rules.relevance !== undefined || this.#more > 0) this.#gatherRow(candidates.words[missing + last]!, last);
    else this.#gatherLastRow(candidates.words[missing + last]!, last, rules);
    if (rules.relevance !== undefined) this.#multiply(rules.relevance);
    return this.#pick(rules);
  }

  /** Adds the producers of one missing input. */
  #gatherRow(input: number, position: number): void {
    const { rows, producerTools, producerWeights } = this.#graph;
    const [from, to] = [rows[input]!, rows[input + 1]!];
    this.#reserve(this.#count + to - from);
    const slots = this.#slots;
    const tools = this.#tools;
    const omegas = this.#omegas;
    const covers = this.#covers;
    const cover = position < 32 ? 1 << position : 0;
    let count = this.#count;
    for (let at = from; at < to; at += 1) {
      const tool = producerTools[at]!;
      const slot = slots[tool]!;
      if (slot === 0) {
        tools[count] = tool;
        omegas[count] = producerWeights[at]!;
        covers[count] = cover;
        count += 1;
        slots[tool] = count;
      } else if (slot > 0) {
        omegas[slot - 1]! += producerWeights[at]!;
        covers[slot - 1]! |= cover;
      }
    }
    const before = this.#count;
    this.#count = count;
    if (this.#more > 0) this.#coverFurther(before, from, to, position);
  }

  /** As above; no row comes behind, so that a new tool's weight is its sum, and the weights fall. */
  #gatherLastRow(input: number, position: number, rules: Rules): void {
    const { rows, producerTools, producerWeights } = this.#graph;
    const [from, to] = [rows[input]!, rows[input + 1]!];
    const before = this.#count;
    let open = rules.producers;
    this.#reserve(before + Math.min(open, to - from));
    const slots = this.#slots;
    const omegas = this.#omegas;
    const covers = this.#covers;
    for (let at = from; at < to; at += 1) {
      const tool = producerTools[at]!;
      const slot = slots[tool]!;
      if (slot === 0) {
        if (open === 0) {
          if (before === 0) break;
          continue;
        }
        if (isBarred(rules.barred, tool)) continue;
        open -= 1;
        this.#tools[this.#count] = tool;
        omegas[this.#count] = producerWeights[at]!;
        covers[this.#count] = 1 << position;
        this.#count += 1;
      } else if (slot > 0) {
        omegas[slot - 1]! += producerWeights[at]!;
        covers[slot - 1]! |= 1 << position;
      }
    }
  }

  /** Notes which entries a row supports beyond the first word; those from `before` on are new. */
  #coverFurther(before: number, from: number, to: number, position: number): void {
    const more = this.#more;
    if (this.#furtherCovers.length < this.#count * more) {
      this.#furtherCovers = grownInt32(this.#furtherCovers, this.#count * more);
    }
    this.#furtherCovers.fill(0, before * more, this.#count * more);
    if (position < 32) return;
    for (let at = from; at < to; at += 1) {
      const slot = this.#slots[this.#graph.producerTools[at]!]!;
      if (slot > 0) this.#furtherCovers[(slot - 1) * more + (position >>> 5) - 1]! |= 1 << (position & 31);
    }
  }

  #multiply(relevance: Float32Array): void {
    const count = this.#count;
    const tools = this.#tools;
    const omegas = this.#omegas;
    for (let entry = 0; entry < count; entry += 1) omegas[entry]! *= relevance[tools[entry]!]!;
  }

  /** Frees the slots of the entries and finds the best that may be added and have Ω > 0. */
  #pick(rules: Rules): number {
    const count = this.#count;
    const slots = this.#slots;
    const tools = this.#tools;
    const omegas = this.#omegas;
    const most = rules.producers;
    if (this.#picked.length < most) this.#picked = new Int32Array(most);
    const picked = this.#picked;
    let kept = 0;
    // What an entry has to reach: anything above 0 while there are fewer than K.
    let least = Number.MIN_VALUE;
    for (let entry = 0; entry < count; entry += 1) {
      const tool = tools[entry]!;
      slots[tool] = 0;
      if (omegas[entry]! < least || isBarred(rules.barred, tool)) continue;
      let place = kept;
      if (kept < most) kept += 1;
      else if (this.#isBetter(entry, picked[most - 1]!)) place -= 1;
      else continue;
      while (place > 0 && this.#isBetter(entry, picked[place - 1]!)) {
        picked[place] = picked[place - 1]!;
        place -= 1;
      }
      picked[place] = entry;
      if (kept === most) least = omegas[picked[most - 1]!]!;
    }
    return kept;
  }

  #isBetter(left: number, right: number): boolean {
    const difference = this.#omegas[left]! - this.#omegas[right]!;
    return difference > 0 || (difference === 0 && this.#tools[left]! < this.#tools[right]!);
  }

  /** The entry of this rank among those that were found, the best first. */
  found(rank: number): number {
    return this.#picked[rank]!;
  }

  toolOf(entry: number): number {
    return this.#tools[entry]!;
  }

  /** Ω. */
  supportOf(entry: number): number {
    return this.#omegas[entry]!;
  }

  /** How many words the bits of what an entry supports have. */
  get coverWords(): number {
    return 1 + this.#more;
  }

  /** The bits of the missing inputs that an entry supports. */
  coverOf(entry: number, word: number): number {
    return word === 0 ? this.#covers[entry]! : this.#furtherCovers[entry * this.#more + word - 1]!;
  }

  /**
   * The step of the chosen tool that supports `input` most and has no bit in `dependents`, or −1; never the terminal's,
   * 0, which depends on all others.
   */
  supporter(input: number, dependents: number): number {
    const { rows, producerTools } = this.#graph;
    const slots = this.#slots;
    const to = rows[input + 1]!;
    for (let at = rows[input]!; at < to; at += 1) {
      const slot = slots[producerTools[at]!]!;
      if (slot < -1 && ((dependents >>> (-1 - slot)) & 1) === 0) return -1 - slot;
    }
    return -1;
  }

  #reserve(count: number): void {
    if (count <= this.#tools.length) return;
    this.#tools = grownInt32(this.#tools, count);
    this.#omegas = grownFloat64(this.#omegas, count);
    this.#covers = grownInt32(this.#covers, count);
  }
}

function isBarred(barred: Int32Array | undefined, tool: number): boolean {
  return barred !== undefined && ((barred[tool >>> 5]! >>> (tool & 31)) & 1) === 1;
}
