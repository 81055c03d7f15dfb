import type { DeficitGraph } from "../../deficit-search-kernel.ts";
import { KernelError } from "../../errors.ts";

/** Ordinals stay below this, so that they are small integers with room for a sign. */
const mostOrdinals = 2 ** 31;

/** Rows up to this length are sorted by insertion, which is quadratic but needs no memory. */
const shortRow = 64;

/** Which inputs each tool requires, and which tools make each input, the strongest first. */
export interface ProducerGraph {
  readonly toolCount: number;
  readonly inputCount: number;
  /** Tools + 1: the inputs of a tool stand one behind the other. */
  readonly inputs: Uint32Array;
  /** The tool of each input. */
  readonly owners: Int32Array;
  /** Inputs + 1: where the producers of each input stand. */
  readonly rows: Uint32Array;
  /** The producers of all inputs, row by row, … */
  readonly producerTools: Int32Array;
  /** … and their weights. */
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
  const owners = new Int32Array(inputCount);
  const rows = new Uint32Array(inputCount + 1);
  const producers = new Producers(entries, toolCount);
  for (let tool = 0; tool < toolCount; tool += 1) {
    for (let input = inputs[tool]!; input < inputs[tool + 1]!; input += 1) {
      for (let entry = offsets[input]!; entry < offsets[input + 1]!; entry += 1) {
        // No tool makes what it needs itself.
        if (tools[entry] !== tool) producers.add(input, tools[entry]!, weights[entry]!);
      }
      owners[input] = tool;
      rows[input + 1] = producers.endRow();
    }
  }
  return {
    toolCount,
    inputCount,
    inputs: inputs.slice(),
    owners,
    rows,
    producerTools: producers.tools.slice(0, rows[inputCount]),
    producerWeights: producers.weights.slice(0, rows[inputCount]),
  };
}

/** Rows of (tool, weight), the last of which is being filled. */
class Producers {
  readonly tools: Int32Array;
  readonly weights: Float32Array;
  /** The last input that named a tool, and where. */
  readonly #namedBy: Int32Array;
  readonly #namedAt: Int32Array;
  #start = 0;
  #end = 0;

  constructor(entries: number, toolCount: number) {
    this.tools = new Int32Array(entries);
    this.weights = new Float32Array(entries);
    this.#namedBy = new Int32Array(toolCount).fill(-1);
    this.#namedAt = new Int32Array(toolCount);
  }

  /** Adds a producer to the row; of a tool that is named twice the larger weight stays. */
  add(input: number, tool: number, weight: number): void {
    if (weight === 0) return;
    if (this.#namedBy[tool] === input) {
      const at = this.#namedAt[tool]!;
      if (this.weights[at]! < weight) this.weights[at] = weight;
      return;
    }
    this.#namedBy[tool] = input;
    this.#namedAt[tool] = this.#end;
    this.tools[this.#end] = tool;
    this.weights[this.#end] = weight;
    this.#end += 1;
  }

  /** Sorts the row and gives where it ends. */
  endRow(): number {
    if (this.#end - this.#start <= shortRow) this.#sortShort();
    else if (!this.#isSorted()) this.#sort();
    this.#start = this.#end;
    return this.#end;
  }

  /** By insertion: in place, and in one pass where the row is sorted already. */
  #sortShort(): void {
    const { tools, weights } = this;
    for (let at = this.#start + 1; at < this.#end; at += 1) {
      const tool = tools[at]!;
      const weight = weights[at]!;
      let place = at;
      for (; place > this.#start; place -= 1) {
        const difference = weight - weights[place - 1]!;
        if (difference < 0 || (difference === 0 && tool > tools[place - 1]!)) break;
        tools[place] = tools[place - 1]!;
        weights[place] = weights[place - 1]!;
      }
      tools[place] = tool;
      weights[place] = weight;
    }
  }

  #isSorted(): boolean {
    for (let at = this.#start + 1; at < this.#end; at += 1) if (this.#comesBefore(at, at - 1)) return false;
    return true;
  }

  #comesBefore(left: number, right: number): boolean {
    const difference = this.weights[left]! - this.weights[right]!;
    return difference > 0 || (difference === 0 && this.tools[left]! < this.tools[right]!);
  }

  #sort(): void {
    const order = Array.from({ length: this.#end - this.#start }, (_, position) => this.#start + position);
    order.sort((left, right) => (this.#comesBefore(left, right) ? -1 : 1));
    const tools = order.map((at) => this.tools[at]!);
    const weights = order.map((at) => this.weights[at]!);
    this.tools.set(tools, this.#start);
    this.weights.set(weights, this.#start);
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
