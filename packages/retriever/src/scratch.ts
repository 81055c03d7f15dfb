import type { ToolIndex } from "./tool-index.ts";

/** Columns reused from query to query, so that a query allocates little more than its answer. */
export interface Scratch {
  /** By tool. */
  readonly scores: Float32Array;
  /** For each part of the query, the whole first: BM25F by tool; made when first needed, zero but for the last `usedParts`. */
  readonly textScores: Float32Array[];
  usedParts: number;
  /** By part and then by tool of the present pool: cosines; grown when needed. */
  cosines: Float32Array;
  /** By tool: share of its name that the bag of terms has, and that the query's own words have. */
  readonly nameShare: Float32Array;
  readonly ownNameShare: Float32Array;
  /** By tool: weight and number of the query's own words that it has. */
  readonly coverage: Float32Array;
  readonly matched: Uint16Array;
  readonly allowed: Uint8Array;
  /** The tools with a word of the query are the first `count`, and marked; those of the present part are in `partTouched`. */
  readonly touched: Uint32Array;
  readonly isTouched: Uint8Array;
  readonly partTouched: Uint32Array;
  count: number;
  /** The present bag: its distinct terms are the first `termCount`; weights by term, valid where `seenIn` is `bag`. */
  readonly terms: Uint32Array;
  readonly termWeights: Float32Array;
  readonly seenIn: Uint32Array;
  termCount: number;
  bag: number;
  /** All stems in order, made when first needed. */
  sortedStems: readonly string[] | undefined;
}

const scratches = new WeakMap<ToolIndex, Scratch>();

/** The index's own columns, cleared. Queries are synchronous, so one set is enough. */
export function clearedScratch(index: ToolIndex): Scratch {
  let scratch = scratches.get(index);
  if (scratch === undefined) scratches.set(index, (scratch = newScratch(index.catalog.tools.length, index.idf.length)));
  else clear(scratch);
  return scratch;
}

function newScratch(tools: number, terms: number): Scratch {
  return {
    scores: new Float32Array(tools),
    textScores: [],
    usedParts: 0,
    cosines: new Float32Array(0),
    nameShare: new Float32Array(tools),
    ownNameShare: new Float32Array(tools),
    coverage: new Float32Array(tools),
    matched: new Uint16Array(tools),
    allowed: new Uint8Array(tools),
    touched: new Uint32Array(tools),
    isTouched: new Uint8Array(tools),
    partTouched: new Uint32Array(tools),
    count: 0,
    terms: new Uint32Array(terms),
    termWeights: new Float32Array(terms),
    seenIn: new Uint32Array(terms),
    termCount: 0,
    bag: 0,
    sortedStems: undefined,
  };
}

function clear(scratch: Scratch): void {
  scratch.scores.fill(0);
  for (let part = 0; part < scratch.usedParts; part++) scratch.textScores[part]!.fill(0);
  scratch.usedParts = 0;
  scratch.isTouched.fill(0);
  scratch.nameShare.fill(0);
  scratch.ownNameShare.fill(0);
  scratch.coverage.fill(0);
  scratch.matched.fill(0);
  scratch.allowed.fill(0);
  scratch.count = 0;
}
