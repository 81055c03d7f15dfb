import type { DeficitGraph, DeficitQuery, DeficitSearchKernel, PackedResults } from "../deficit-search-kernel.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";

interface DeficitSearchHandle {
  /**
   * Searches, copies the results where they fit, and says how many words they have; `numbers` has as much room as
   * `words`.
   */
  search(
    terminals: Uint32Array,
    grounded: Uint32Array,
    allow: Uint32Array | undefined,
    exclude: Uint32Array,
    relevance: Float32Array | undefined,
    beam: number,
    producers: number,
    depth: number,
    maxTools: number,
    count: number,
    words: Uint32Array,
    numbers: Float64Array,
  ): number;
  /** Copies the results of the last search. */
  copyResults(words: Uint32Array, numbers: Float64Array): void;
  dispose(): void;
}

/** The part of the addon behind {@link createNativeDeficitSearch}. */
export interface DeficitSearchAddon {
  createDeficitSearch(
    inputs: Uint32Array,
    offsets: Uint32Array,
    tools: Uint32Array,
    weights: Float32Array,
  ): DeficitSearchHandle;
}

/** A graph in native memory. */
export function createNativeDeficitSearch(addon: Addon, graph: DeficitGraph): DeficitSearchKernel {
  const { inputs, offsets, tools, weights } = graph;
  const handle = calling(() => addon.createDeficitSearch(inputs, offsets, tools, weights));
  let packed = roomFor(256);
  const run = (query: DeficitQuery): PackedResults => {
    const { terminals, grounded, allow, exclude, relevance, beam, producers, depth, maxTools, count } = query;
    const { words, numbers } = packed;
    const length = handle.search(
      terminals,
      grounded,
      allow,
      exclude,
      relevance,
      beam,
      producers,
      depth,
      maxTools,
      count,
      words,
      numbers,
    );
    if (length > words.length) {
      packed = roomFor(2 * length);
      handle.copyResults(packed.words, packed.numbers);
    }
    return packed;
  };
  return { search: (query) => calling(() => run(query)), dispose: () => handle.dispose() };
}

function roomFor(length: number): PackedResults {
  return { words: new Uint32Array(length), numbers: new Float64Array(length) };
}
