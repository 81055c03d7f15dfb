import type { DeficitGraph } from "../../deficit-search-kernel.ts";
import { KernelError } from "../../errors.ts";

/** Ordinals stay below this, so that they are small integers with room for a sign. */
const mostOrdinals = 2 ** 31;

/** Which inputs each tool requires, and which tools make each input, the strongest first. */
export interface ProducerGraph {
  readonly toolCount: number;
  readonly inputCount: number;
  /** Tools + 1: the inputs of a tool stand one behind the other. */
  readonly inputs: Uint32Array;
  /** Inputs + 1: where the producers of an input stand, in entries of two words. */
  readonly rows: Uint32Array;
  /** Tool and weight in turn: the tools at even positions, … */
  readonly producerTools: Int32Array;
  /** … the weights behind them, in the same memory, so that one reading brings both. */
  readonly producerWeights: Float32Array;
}

/** Checks a graph and copies it, every row sorted by weight, equal weights by lower tool. */
export function sortGraph({ inputs, offsets, tools, weights }: DeficitGraph): ProducerGraph {
  const inputCount = checkOffsets("inputs", inputs);
  const toolCount = inputs.length - 1;
  checkCount("tools", toolCount);
  checkCount("inputs", inputCount);
  checkLength("producers.offsets", inputCount + 1, offsets.length);
  const entries = checkOffsets("producers.offsets", offsets);
  checkLength("producers.tools", entries, tools.length);
  checkLength("producers.weights", entries, weights.length);
  checkOrdinals("producers.tools", tools, toolCount, "tools");
  checkWeights("producers.weights", weights);
  const rows = new Uint32Array(inputCount + 1);
  const words = new Int32Array(entries * 2);
  const sorter = new RowSorter(words);
  // The last row that named a tool, to know whether one is named twice.
  const namedBy = new Int32Array(toolCount).fill(-1);
  for (let tool = 0, end = 0; tool < toolCount; tool += 1) {
    for (let input = inputs[tool]!; input < inputs[tool + 1]!; input += 1) {
      let doubled = false;
      for (let entry = offsets[input]!; entry < offsets[input + 1]!; entry += 1) {
        const producer = tools[entry]!;
        const weight = weights[entry]!;
        // No tool makes what it needs itself.
        if (weight === 0 || producer === tool) continue;
        doubled ||= namedBy[producer] === input;
        namedBy[producer] = input;
        words[2 * end] = producer;
        sorter.weights[2 * end + 1] = weight;
        end += 1;
      }
      end = sorter.sort(rows[input]!, end, doubled);
      rows[input + 1] = end;
    }
  }
  const used = words.slice(0, 2 * rows[inputCount]!);
  return {
    toolCount,
    inputCount,
    inputs: inputs.slice(),
    rows,
    producerTools: used,
    producerWeights: new Float32Array(used.buffer),
  };
}

/** Sorts rows of (tool, weight) in place. */
class RowSorter {
  readonly weights: Float32Array;
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
    this.weights = new Float32Array(words.buffer);
  }

  /** Sorts the entries from `from` to `to` and gives where they end, which is less when tools are named twice. */
  sort(from: number, to: number, doubled: boolean): number {
    if (!this.#isSorted(from, to)) this.#sortEntries(from, to);
    return doubled ? this.#keepFirst(from, to) : to;
  }

  #isSorted(from: number, to: number): boolean {
    for (let entry = from + 1; entry < to; entry += 1) if (this.#comesBefore(entry, entry - 1)) return false;
    return true;
  }

  #comesBefore(left: number, right: number): boolean {
    const difference = this.weights[2 * left + 1]! - this.weights[2 * right + 1]!;
    return difference > 0 || (difference === 0 && this.#words[2 * left]! < this.#words[2 * right]!);
  }

  #sortEntries(from: number, to: number): void {
    const order = Array.from({ length: to - from }, (_, position) => from + position);
    order.sort((left, right) => (this.#comesBefore(left, right) ? -1 : 1));
    const sorted = new Int32Array(2 * order.length);
    for (const [position, entry] of order.entries()) {
      sorted[2 * position] = this.#words[2 * entry]!;
      sorted[2 * position + 1] = this.#words[2 * entry + 1]!;
    }
    this.#words.set(sorted, 2 * from);
  }

  /** Leaves every tool once in a sorted row: its first entry has its largest weight. */
  #keepFirst(from: number, to: number): number {
    const seen = new Set<number>();
    let end = from;
    for (let entry = from; entry < to; entry += 1) {
      const tool = this.#words[2 * entry]!;
      if (seen.has(tool)) continue;
      seen.add(tool);
      this.#words[2 * end] = tool;
      this.#words[2 * end + 1] = this.#words[2 * entry + 1]!;
      end += 1;
    }
    return end;
  }
}

/** What the last offset says. */
function checkOffsets(name: string, offsets: Uint32Array): number {
  const refuse = (got: string) =>
    new KernelError("invalid-argument", `${name}: expected offsets that start at 0 and never fall, got ${got}.`);
  if (offsets.length === 0) throw refuse("none");
  if (offsets[0] !== 0) throw refuse(`${offsets[0]} at position 0`);
  for (let position = 1; position < offsets.length; position += 1) {
    if (offsets[position]! < offsets[position - 1]!) throw refuse(`${offsets[position]} at position ${position}`);
  }
  return offsets[offsets.length - 1]!;
}

function checkCount(what: string, count: number): void {
  if (count < mostOrdinals) return;
  throw new KernelError("invalid-argument", `inputs: expected fewer than 2^31 ${what}, got ${count}.`);
}

function checkLength(name: string, expected: number, actual: number): void {
  if (expected === actual) return;
  throw new KernelError("invalid-argument", `${name}: expected a length of ${expected}, got ${actual}.`);
}

/** `kind` says in the plural what there are `count` of. */
export function checkOrdinals(name: string, ordinals: Uint32Array, count: number, kind: string): void {
  for (const ordinal of ordinals) {
    if (ordinal < count) continue;
    const text = `${name}: expected ordinals, got ${ordinal}; there are ${count} ${kind}.`;
    throw new KernelError("invalid-argument", text);
  }
}

/** Checks one factor for each tool. */
export function checkRelevance(relevance: Float32Array, toolCount: number): void {
  checkLength("relevance", toolCount, relevance.length);
  checkWeights("relevance", relevance);
}

/** Checks that numbers are finite and not negative. */
function checkWeights(name: string, weights: Float32Array): void {
  for (let position = 0; position < weights.length; position += 1) {
    const weight = weights[position]!;
    if (weight >= 0 && weight < Number.POSITIVE_INFINITY) continue;
    const text = Number.isFinite(weight)
      ? `expected numbers of 0 or more, got a negative one at position ${position}.`
      : `the number at position ${position} is NaN or infinite; every number must be finite.`;
    throw new KernelError("invalid-argument", `${name}: ${text}`);
  }
}
