import { SetwiseError } from "@setwise/core";
import { DeficitSearch, type Kernels } from "@setwise/native";
import { type DeficitMatrix, deficitMatrix } from "./deficit-matrix.ts";
import { linkBetween } from "./link-between.ts";
import type { ToolHypergraph } from "./hypergraph.ts";

/** How a graph is read for expansion. */
export interface DeficitExpansionOptions {
  /**
   * θ: weaker links count for nothing. Default .05, for deficits that must be filled; where adding a tool is optional, .7 is
   * sounder.
   */
  readonly leastWeight?: number;
  /** Node ordinals of further inputs that must be brought, though their schema does not require them. Default: none. */
  readonly alsoRequired?: Uint32Array;
  /** The only tools that count: a matrix for one request is made in microseconds. Default: all. */
  readonly among?: Uint32Array;
  /**
   * What each tool of `among` supports every input with, at least. Where it is known that every deficit is filled by some call, the
   * most relevant tool is a better guess than none (.01, with `leastWeight` no larger). Default 0: what nothing brings is missing.
   */
  readonly floor?: number;
  readonly kernels?: Kernels;
}

/** What is wanted, what is there, and what may be added. Tools are catalog ordinals, inputs node ordinals. */
export interface ExpansionQuery {
  /** Tools that are wanted: each is searched for by itself, and all results are ranked together. */
  readonly terminals: Uint32Array;
  /** Nodes that are available. Default: none. */
  readonly grounded?: Uint32Array;
  /** The only tools that may be added. Default: all. */
  readonly allow?: Uint32Array;
  /** Tools that may not be added. Default: none. */
  readonly exclude?: Uint32Array;
  /** One number a tool, 0 or more: how well it fits the sub-task. Default: 1 for all. */
  readonly relevance?: Float32Array;
  /** u: Ω is multiplied by relevance^u. Default 2; 0 is the paper. */
  readonly exponent?: number;
  /** B. Default 5. */
  readonly beam?: number;
  /** K. Default 3. */
  readonly producers?: number;
  /** Default 4. */
  readonly depth?: number;
  /** Tools in a result, the terminal among them, 1 to 32. Default 8. */
  readonly maxTools?: number;
  /** Results wanted. Default 5. */
  readonly count?: number;
}

/** A tool support subgraph: tools that together bring what they need. */
export interface SupportSubgraph {
  readonly terminal: number;
  /** In call order, the terminal last. */
  readonly tools: Uint32Array;
  /** The retained links: node ordinals, and the weight of the strongest link between the two tools for that input. */
  readonly links: readonly { readonly from: number; readonly to: number; readonly weight: number }[];
  /** Required inputs that nothing brings, as node ordinals; empty when the subgraph is complete. */
  readonly missing: Uint32Array;
  /** The sum of Ω over the tools that were added. */
  readonly total: number;
}

/** Rare is the graph in which a tool of little relevance is the only one that helps; the square tells the others apart. */
const DEFAULT_EXPONENT = 2;
const DEFAULT_LEAST_WEIGHT = 0.05;

/**
 * Deficit-oriented expansion over a hypergraph (HyperAgent, Definitions 5 and 6, equations 3 to 5): the producer matrix is made
 * once and lies in native memory, so that a search takes microseconds. What is required, grounded and refused is said in
 * `DeficitSearch`, which does the work.
 */
export class DeficitExpansion {
  readonly graph: ToolHypergraph;
  readonly #matrix: DeficitMatrix;
  readonly #kernels: Kernels | undefined;
  #search: DeficitSearch | undefined;
  readonly #floor: number;
  #scratch: Float32Array = new Float32Array(0);

  /** @throws SetwiseError `invalid-argument` for a number out of range, or an ordinal that the graph does not have. */
  constructor(graph: ToolHypergraph, options: DeficitExpansionOptions = {}) {
    refuseWrongOptions(graph, options);
    const { leastWeight = DEFAULT_LEAST_WEIGHT, alsoRequired, among, floor, kernels } = options;
    this.graph = graph;
    this.#floor = floor ?? 0;
    this.#matrix = deficitMatrix(graph, { leastWeight, alsoRequired, among, floor });
    this.#kernels = kernels;
    this.#search = this.#openSearch();
  }

  /**
   * The best support subgraphs: fewer missing inputs, then fewer tools, then larger total. A terminal for which nothing becomes
   * complete answers with its best partial subgraph.
   *
   * @throws {KernelError} `invalid-argument` when an argument has the wrong type, length or range.
   */
  expand(query: ExpansionQuery): readonly SupportSubgraph[] {
    const { grounded, relevance, exponent = DEFAULT_EXPONENT, ...rest } = query;
    const { inputOfNode, nodeOfInput } = this.#matrix;
    this.#search ??= this.#openSearch();
    const found = this.#search.search({
      ...rest,
      ...(grounded === undefined ? {} : { grounded: inputsOf(grounded, inputOfNode) }),
      ...(relevance === undefined || exponent === 0 ? {} : { relevance: this.#powers(relevance, exponent) }),
    });
    return Array.from({ length: found.count }, (_, result) => {
      const links = [];
      for (let link = found.linkOffsets[result] ?? 0; link < (found.linkOffsets[result + 1] ?? 0); link++) {
        const to = nodeOfInput[found.linkInputs[link] ?? 0] ?? 0;
        links.push(linkBetween(this.graph, found.linkTools[link] ?? 0, to, this.#floor));
      }
      return {
        terminal: found.terminals[result] ?? 0,
        tools: found.tools.subarray(found.toolOffsets[result], found.toolOffsets[result + 1]),
        links,
        missing: found.missing
          .subarray(found.missingOffsets[result], found.missingOffsets[result + 1])
          .map((input) => nodeOfInput[input] ?? 0),
        total: found.totals[result] ?? 0,
      };
    });
  }

  /** relevance^u, in memory that the next query writes over: thousands of numbers for a search of microseconds. */
  #powers(relevance: Float32Array, exponent: number): Float32Array {
    if (exponent === 1) return relevance;
    if (this.#scratch.length !== relevance.length) this.#scratch = new Float32Array(relevance.length);
    const powers = this.#scratch;
    for (let tool = 0; tool < powers.length; tool++) {
      const value = relevance[tool]!;
      powers[tool] = exponent === 2 ? value * value : value ** exponent;
    }
    return powers;
  }

  #openSearch(): DeficitSearch {
    const { inputs, producers } = this.#matrix;
    return new DeficitSearch({ inputs, producers, ...(this.#kernels === undefined ? {} : { kernels: this.#kernels }) });
  }

  /** Frees the native memory. A run that still plans takes it again: a search may follow. */
  dispose(): void {
    this.#search?.dispose();
    this.#search = undefined;
  }

  /** For `using expansion = new DeficitExpansion(…)`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

function refuseWrongOptions(graph: ToolHypergraph, options: DeficitExpansionOptions): void {
  const { leastWeight = DEFAULT_LEAST_WEIGHT, floor = 0, among = [], alsoRequired = [] } = options;
  for (const [name, value] of Object.entries({ leastWeight, floor })) {
    if (value >= 0 && value <= 1) continue;
    throw new SetwiseError("invalid-argument", `${name} must be a number from 0 to 1, but is ${String(value)}.`);
  }
  for (const [name, ordinals, count] of [
    ["among", among, graph.catalog.tools.length],
    ["alsoRequired", alsoRequired, graph.nodes.length],
  ] as const) {
    for (const ordinal of ordinals) {
      if (ordinal < count) continue;
      throw new SetwiseError("invalid-argument", `${name} must hold ordinals below ${count}, but holds ${ordinal}.`);
    }
  }
}

/** The required ones among the nodes; of the others nothing is ever missing. */
function inputsOf(nodes: Uint32Array, inputOfNode: ReadonlyMap<number, number>): Uint32Array {
  const inputs: number[] = [];
  for (const node of nodes) {
    const input = inputOfNode.get(node);
    if (input !== undefined) inputs.push(input);
  }
  return Uint32Array.from(inputs);
}
