import type { ToolIndex } from "./tool-index.ts";

/** Columns reused from query to query, so that a query allocates little more than its answer. */
export interface Scratch {
  /** By tool: BM25F of the whole query, later the score; of the present clause; sum of the clauses' cubes. */
  readonly scores: Float32Array;
  readonly clauseScores: Float32Array;
  readonly cubes: Float32Array;
  /** By tool: share of its name that the bag of terms has, and that the query's own words have. */
  readonly nameShare: Float32Array;
  readonly ownNameShare: Float32Array;
  /** By tool: weight and number of the query's own words that it has. */
  readonly coverage: Float32Array;
  readonly matched: Uint16Array;
  readonly allowed: Uint8Array;
  /** The tools with a word of the query are the first `count`; those of the present clause are in `clauseTouched`. */
  readonly touched: Uint32Array;
  readonly clauseTouched: Uint32Array;
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
    clauseScores: new Float32Array(tools),
    cubes: new Float32Array(tools),
    nameShare: new Float32Array(tools),
    ownNameShare: new Float32Array(tools),
    coverage: new Float32Array(tools),
    matched: new Uint16Array(tools),
    allowed: new Uint8Array(tools),
    touched: new Uint32Array(tools),
    clauseTouched: new Uint32Array(tools),
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
  scratch.clauseScores.fill(0);
  scratch.cubes.fill(0);
  scratch.nameShare.fill(0);
  scratch.ownNameShare.fill(0);
  scratch.coverage.fill(0);
  scratch.matched.fill(0);
  scratch.allowed.fill(0);
  scratch.count = 0;
}
