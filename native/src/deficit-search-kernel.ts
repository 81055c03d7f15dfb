/** A graph as the caller gave it, its types checked: what both implementations take. */
export interface DeficitGraph {
  /** Tools + 1 offsets: tool e requires the inputs `inputs[e]` to `inputs[e + 1] − 1`. */
  readonly inputs: Uint32Array;
  /** Inputs + 1 offsets into the two columns below. */
  readonly offsets: Uint32Array;
  readonly tools: Uint32Array;
  readonly weights: Float32Array;
}

/** A checked query, but for what depends on the numbers themselves. */
export interface DeficitQuery {
  readonly terminals: Uint32Array;
  readonly grounded: Uint32Array;
  readonly allow: Uint32Array | undefined;
  readonly exclude: Uint32Array;
  readonly relevance: Float32Array | undefined;
  /** B, 1 to 1,024. */
  readonly beam: number;
  /** K, 1 to 1,024. */
  readonly producers: number;
  /** Below 2^32. */
  readonly depth: number;
  /** 1 to 32. */
  readonly maxTools: number;
  /** At most 1,024. */
  readonly count: number;
}

/**
 * Results packed into two lists, which hold until the next search.
 *
 * `words`: the counts of results, tools, missing inputs and links; then the columns, one behind the other: terminals; a
 * 0 and the end of each result's tools; tools in call order; the step that added each; a 0 and the ends of what is
 * missing; missing inputs; a 0 and the ends of links; linked inputs; the tool of each link. `numbers`: the total of
 * each result, then the Ω with which each tool was added.
 */
export interface PackedResults {
  readonly words: Uint32Array;
  readonly numbers: Float64Array;
}

/** The state behind one `DeficitSearch`. */
export interface DeficitSearchKernel {
  search(query: DeficitQuery): PackedResults;
  /** Frees the memory; no search follows. */
  dispose(): void;
}
