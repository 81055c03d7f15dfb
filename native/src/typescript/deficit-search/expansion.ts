import type { Candidates, Child } from "./candidates.ts";
import type { ProducerGraph } from "./graph.ts";
import { grownFloat64, grownInt32 } from "./grow.ts";

/** What a tool may be added under. */
export interface Rules {
  /** Bits of tools that may not be added, or nothing where all may. */
  readonly barred: Int32Array | undefined;
  /** A factor for every tool's Ω. */
  readonly relevance: Float32Array | undefined;
}

/** One candidate's look at the producers of what it misses. */
export class Expansion {
  readonly #graph: ProducerGraph;
  /** For each tool 0, its entry + 1, or when it is chosen −1 − its step. All 0 between uses. */
  readonly #slots: Int32Array;
  #tools: Int32Array = new Int32Array(256);
  #omegas: Float64Array = new Float64Array(256);
  /** For each entry the bits of the missing inputs that it supports, `width` words. */
  #covers: Int32Array = new Int32Array(256);
  #width = 1;
  /** The entries that were picked, best first. */
  #picked: Int32Array = new Int32Array(16);

  constructor(graph: ProducerGraph) {
    this.#graph = graph;
    this.#slots = new Int32Array(graph.toolCount);
  }

  /** After an error in the middle of a search. */
  forget(): void {
    this.#slots.fill(0);
  }

  /** Marks the tools of a candidate as chosen, for {@link Expansion.supporter} and {@link Expansion.gather}. */
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

  /** Finds the best tools, `most` at most, for what a candidate misses whose tools are marked; says how many. */
  gather(candidates: Candidates, candidate: number, rules: Rules, most: number): number {
    const missing = candidates.missing(candidate);
    const missingCount = candidates.missingCount(candidate);
    this.#width = (missingCount + 31) >>> 5;
    let count = 0;
    for (let position = 0; position < missingCount; position += 1) {
      count = this.#gatherRow(candidates.words[missing + position]!, position, count, rules.barred);
    }
    return this.#pick(count, rules.relevance, most);
  }

  #gatherRow(input: number, position: number, before: number, barred: Int32Array | undefined): number {
    const { rows, producerTools, producerWeights } = this.#graph;
    const [from, to] = [2 * rows[input]!, 2 * rows[input + 1]!];
    this.#reserve(before + (to - from) / 2);
    const slots = this.#slots;
    const tools = this.#tools;
    const omegas = this.#omegas;
    const covers = this.#covers;
    const width = this.#width;
    const word = position >>> 5;
    const bit = 1 << (position & 31);
    let count = before;
    for (let at = from; at < to; at += 2) {
      const tool = producerTools[at]!;
      const slot = slots[tool]!;
      if (slot === 0) {
        if (barred !== undefined && ((barred[tool >>> 5]! >>> (tool & 31)) & 1) === 1) continue;
        tools[count] = tool;
        omegas[count] = producerWeights[at + 1]!;
        const cover = count * width;
        for (let i = 0; i < width; i += 1) covers[cover + i] = 0;
        covers[cover + word] = bit;
        count += 1;
        slots[tool] = count;
      } else if (slot > 0) {
        omegas[slot - 1]! += producerWeights[at + 1]!;
        covers[(slot - 1) * width + word]! |= bit;
      }
    }
    return count;
  }

  /** Clears the slots of the entries, and puts the best into `picked`. */
  #pick(count: number, relevance: Float32Array | undefined, most: number): number {
    const slots = this.#slots;
    const tools = this.#tools;
    const omegas = this.#omegas;
    if (this.#picked.length < most) this.#picked = new Int32Array(most);
    const picked = this.#picked;
    let kept = 0;
    let worst = 0;
    for (let entry = 0; entry < count; entry += 1) {
      const tool = tools[entry]!;
      slots[tool] = 0;
      if (relevance !== undefined) omegas[entry]! *= relevance[tool]!;
      const omega = omegas[entry]!;
      // Until there are enough, `worst` is 0 and keeps out what supports nothing.
      if (omega < worst || omega === 0 || (kept === most && !this.#isBetter(entry, picked[most - 1]!))) continue;
      let place = kept === most ? most - 1 : kept;
      while (place > 0 && this.#isBetter(entry, picked[place - 1]!)) {
        picked[place] = picked[place - 1]!;
        place -= 1;
      }
      picked[place] = entry;
      if (kept < most) kept += 1;
      if (kept === most) worst = omegas[picked[most - 1]!]!;
    }
    return kept;
  }

  #isBetter(left: number, right: number): boolean {
    const difference = this.#omegas[left]! - this.#omegas[right]!;
    return difference > 0 || (difference === 0 && this.#tools[left]! < this.#tools[right]!);
  }

  /** Writes one of the tools that were found, the best first, into `child`, with Ω and what it supports. */
  read(rank: number, child: Child): void {
    const entry = this.#picked[rank]!;
    child.tool = this.#tools[entry]!;
    child.support = this.#omegas[entry]!;
    child.coverWords = this.#width;
    if (child.cover.length < this.#width) child.cover = grownInt32(child.cover, this.#width);
    for (let i = 0; i < this.#width; i += 1) child.cover[i] = this.#covers[entry * this.#width + i]!;
  }

  /**
   * The step of the chosen tool that supports `input` most and has no bit in `dependents`, or −1; never the terminal's, 0, which depends on
   * all others.
   */
  supporter(input: number, dependents: number): number {
    const { rows, producerTools } = this.#graph;
    const slots = this.#slots;
    const to = 2 * rows[input + 1]!;
    for (let at = 2 * rows[input]!; at < to; at += 2) {
      const slot = slots[producerTools[at]!]!;
      if (slot < -1 && ((dependents >>> (-1 - slot)) & 1) === 0) return -1 - slot;
    }
    return -1;
  }

  #reserve(count: number): void {
    if (count > this.#tools.length) {
      this.#tools = grownInt32(this.#tools, count);
      this.#omegas = grownFloat64(this.#omegas, count);
    }
    if (count * this.#width > this.#covers.length) this.#covers = grownInt32(this.#covers, count * this.#width);
  }
}
