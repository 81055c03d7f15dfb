import { checkCount, checkTyped } from "./check-arguments.ts";
import type { DeficitQuery, DeficitSearchKernel, PackedResults } from "./deficit-search-kernel.ts";
import { KernelError } from "./errors.ts";
import type { Kernels } from "./kernels.ts";
import { createNativeDeficitSearch } from "./native/deficit-search.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { createTypescriptDeficitSearch } from "./typescript/deficit-search/search.ts";

/** A wider beam hardly ever finds a smaller set, because fewer tools rank first. */
const defaultBeam = 5;
/** The paper sees no gain beyond 3. */
const defaultProducers = 3;
/** Longer chains are rarely meant. */
const defaultDepth = 4;
const defaultMaxTools = 8;
const defaultCount = 5;

/** Candidates of one step, producers of one candidate and results are compared one by one. */
const most = 1024;
/** Which tools depend on which is kept as the bits of one word. */
const mostTools = 32;

const none: Uint32Array = new Uint32Array(0);

/**
 * What each tool requires, and who makes it. A tool is anything that needs inputs and makes outputs: a function, a
 * machine, a recipe, a build step. Tools are numbered from 0, required inputs as well: first those of tool 0, then
 * those of tool 1, and so on.
 */
export interface DeficitSearchOptions {
  /** Tools + 1 offsets: tool e requires the inputs `inputs[e]` to `inputs[e + 1] − 1`. Copied, as all that follows. */
  readonly inputs: Uint32Array;
  /** A_prod(r, e) = ρ(e, r), the support of tool e for input r (Definition 5), as a sparse matrix, row by row. */
  readonly producers: {
    /**
     * Inputs + 1 offsets: the producers of input r stand at `offsets[r]` to `offsets[r + 1] − 1` of the two columns.
     */
    readonly offsets: Uint32Array;
    /** Tools, in any order. Of a tool that is named twice for an input the larger weight counts. */
    readonly tools: Uint32Array;
    /**
     * How well each supports the input: finite, 0 (not at all) or more. A tool's support for its own inputs is dropped.
     */
    readonly weights: Float32Array;
  };
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/** One search: what is wanted, what is there, what may be added, and how far to look. */
export interface DeficitSearchQuery {
  /** What is wanted: each is searched for by itself, and all results are ranked together. Doubles count once. */
  readonly terminals: Uint32Array;
  /** Inputs that are available. Default: none. */
  readonly grounded?: Uint32Array;
  /** The only tools that may be added (a terminal need not be among them). Default: all. */
  readonly allow?: Uint32Array;
  /** Tools that may not be added. Default: none. */
  readonly exclude?: Uint32Array;
  /**
   * One factor a tool, finite and 0 or more, by which its Ω is multiplied; with 0 it is never added. Default: 1 for
   * all.
   */
  readonly relevance?: Float32Array;
  /** B: candidates kept after each step, 1 to 1,024. Default: 5. */
  readonly beam?: number;
  /** K: producers tried for each candidate, 1 to 1,024. Default: 3. */
  readonly producers?: number;
  /** Steps, each of which adds one tool. Default: 4. */
  readonly depth?: number;
  /** Tools in a result, the terminal among them, 1 to 32. Default: 8. */
  readonly maxTools?: number;
  /** Results wanted, 0 to 1,024. Default: 5. */
  readonly count?: number;
}

/**
 * Results as columns, best first. Three of them list something for each result: what belongs to result i stands at
 * `offsets[i]` to `offsets[i + 1] − 1`.
 */
export interface DeficitResults {
  readonly count: number;
  /** What was wanted, one a result. */
  readonly terminals: Uint32Array;
  /** The sum of Ω over the tools that were added, one a result. */
  readonly totals: Float64Array;
  readonly toolOffsets: Uint32Array;
  /** In call order: each behind all that it depends on, the terminal last. */
  readonly tools: Uint32Array;
  /** The step that added each tool; 0 for the terminal. */
  readonly steps: Uint32Array;
  /** Ω with which each tool was added (equation 5, times its relevance); 0 for the terminal. */
  readonly supports: Float64Array;
  readonly missingOffsets: Uint32Array;
  /** Inputs that nothing brings, ascending. A complete result has none. */
  readonly missing: Uint32Array;
  readonly linkOffsets: Uint32Array;
  /** Inputs that a tool of the result brings, ascending, … */
  readonly linkInputs: Uint32Array;
  /** … and beside each the tool. */
  readonly linkTools: Uint32Array;
}

/**
 * Deficit-oriented expansion: a beam search for small sets of tools that together make what they need (HyperAgent,
 * Definitions 5 and 6, equations 3 to 5). From a terminal on, it adds one tool at a time that supports what is missing;
 * a link that would close a cycle is refused, so that every result can be called in its order.
 *
 * Results are ranked by fewer missing inputs, fewer tools, larger total, lower ordinals. A terminal for which nothing
 * becomes complete answers with its best partial candidates, whose missing inputs are named. The same input gives the
 * same answer to the last bit on every processor and in both implementations.
 *
 * Call {@link DeficitSearch.dispose} when it is no longer needed.
 */
export class DeficitSearch {
  /** Number of tools. */
  readonly tools: number;
  /** Number of required inputs of all tools. */
  readonly inputs: number;
  #kernel: DeficitSearchKernel | undefined;

  /**
   * @throws {KernelError} `invalid-argument` when an array has the wrong type or length, offsets fall, an ordinal
   *   names no tool, or a weight is negative, NaN or infinite; `too-large` when there is no memory for the graph.
   */
  constructor(options: DeficitSearchOptions) {
    const { inputs, producers, kernels } = checkOptions("options", options);
    const { offsets, tools, weights } = checkOptions("producers", producers);
    const { addon } = givenKernels(kernels);
    const graph = {
      inputs: checkTyped("inputs", inputs, "Uint32Array"),
      offsets: checkTyped("producers.offsets", offsets, "Uint32Array"),
      tools: checkTyped("producers.tools", tools, "Uint32Array"),
      weights: checkTyped("producers.weights", weights, "Float32Array"),
    };
    this.#kernel = addon === undefined ? createTypescriptDeficitSearch(graph) : createNativeDeficitSearch(addon, graph);
    this.tools = graph.inputs.length - 1;
    this.inputs = graph.inputs[this.tools] ?? 0;
  }

  /**
   * The best results for a query. No terminal, or a `count` of 0, has none.
   *
   * @throws {KernelError} `invalid-argument` when an argument has the wrong type, length or range, an ordinal names
   *   no tool or input, or the search was disposed; `too-large` when there is no memory for the candidates.
   */
  search(query: DeficitSearchQuery): DeficitResults {
    const read = readQuery(query);
    if (this.#kernel === undefined) {
      throw new KernelError("invalid-argument", "This search was disposed; make a new one.");
    }
    return unpack(this.#kernel.search(checkQuery(read)));
  }

  /** Frees the memory at once. A search afterwards is refused; to dispose twice does no harm. */
  dispose(): void {
    this.#kernel?.dispose();
    this.#kernel = undefined;
  }

  /** For `using search = new DeficitSearch(…)`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Reads a query and fills in what is counted. */
function readQuery(query: DeficitSearchQuery): DeficitQuery {
  const { terminals, grounded = none, allow, exclude = none, relevance } = checkOptions("query", query);
  const { beam = defaultBeam, producers = defaultProducers, depth = defaultDepth } = query;
  const { maxTools = defaultMaxTools, count = defaultCount } = query;
  return { terminals, grounded, allow, exclude, relevance, beam, producers, depth, maxTools, count };
}

function checkQuery(query: DeficitQuery): DeficitQuery {
  const { terminals, grounded, allow, exclude, relevance, beam, producers, depth, maxTools, count } = query;
  checkCount("beam", beam, { least: 1, most });
  checkCount("producers", producers, { least: 1, most });
  checkCount("depth", depth, { least: 0, most: Number.MAX_SAFE_INTEGER });
  checkCount("maxTools", maxTools, { least: 1, most: mostTools });
  checkCount("count", count, { least: 0, most });
  return {
    terminals: checkTyped("terminals", terminals, "Uint32Array"),
    grounded: checkTyped("grounded", grounded, "Uint32Array"),
    allow: allow === undefined ? undefined : checkTyped("allow", allow, "Uint32Array"),
    exclude: checkTyped("exclude", exclude, "Uint32Array"),
    relevance: relevance === undefined ? undefined : checkTyped("relevance", relevance, "Float32Array"),
    beam,
    producers,
    // No result has more tools than that.
    depth: Math.min(depth, mostTools),
    maxTools,
    count,
  };
}

/** Copies the columns out of the packed lists, which the next search writes over: one copy a list is quicker than one a column. */
function unpack({ words, numbers }: PackedResults): DeficitResults {
  const [count, tools, missing, links] = [words[0]!, words[1]!, words[2]!, words[3]!];
  const all = words.slice(4, 4 + 4 * count + 3 + 2 * tools + missing + 2 * links);
  const scores = numbers.slice(0, count + tools);
  let end = 0;
  const column = (length: number): Uint32Array => all.subarray(end, (end += length));
  return {
    count,
    terminals: column(count),
    toolOffsets: column(count + 1),
    tools: column(tools),
    steps: column(tools),
    missingOffsets: column(count + 1),
    missing: column(missing),
    linkOffsets: column(count + 1),
    linkInputs: column(links),
    linkTools: column(links),
    totals: scores.subarray(0, count),
    supports: scores.subarray(count),
  };
}
