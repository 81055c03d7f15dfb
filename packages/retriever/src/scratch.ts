import type { ToolIndex } from "./tool-index.ts";

/** Columns reused from query to query, so that a query allocates only its answer. */
export interface Scratch {
  /** One number a tool: BM25F of the whole query, then the score; of the present clause; the best of all clauses so far. */
  readonly scores: Float32Array;
  readonly clause: Float32Array;
  readonly bestClause: Float32Array;
  /** Share of the tool's name, and weight and number of the query's words, that query and tool have in common. */
  readonly nameShare: Float32Array;
  readonly coverage: Float32Array;
  readonly matched: Uint16Array;
  readonly allowed: Uint8Array;
  /** The tools with a word of the query (of the present clause) are the first `count` (`clauseCount`). */
  readonly touched: Uint32Array;
  readonly clauseTouched: Uint32Array;
  count: number;
  clauseCount: number;
  /** One number a term: the bag of words in which it was last seen. */
  readonly seenIn: Uint32Array;
  bag: number;
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
    clause: new Float32Array(tools),
    bestClause: new Float32Array(tools),
    nameShare: new Float32Array(tools),
    coverage: new Float32Array(tools),
    matched: new Uint16Array(tools),
    allowed: new Uint8Array(tools),
    touched: new Uint32Array(tools),
    clauseTouched: new Uint32Array(tools),
    count: 0,
    clauseCount: 0,
    seenIn: new Uint32Array(terms),
    bag: 0,
  };
}

function clear(scratch: Scratch): void {
  for (const column of [
    scratch.scores,
    scratch.clause,
    scratch.bestClause,
    scratch.nameShare,
    scratch.coverage,
    scratch.matched,
    scratch.allowed,
  ]) {
    column.fill(0);
  }
  scratch.count = 0;
  scratch.clauseCount = 0;
}
