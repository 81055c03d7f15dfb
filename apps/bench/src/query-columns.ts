import type { LabelledQuery } from "@setwise/core";
import { VectorIndex } from "@setwise/native";
import { retrieve, splitClauses, type ToolIndex, words as wordsOf } from "@setwise/retriever";

/** Tools that are looked at: so many with the best words, and so many with the best cosine to each part, as `retrieve` does. */
const POOL = 200;

/**
 * What words and meaning say of a query, before any constant that weighs them has its say: `scoreColumns` makes of it the score of
 * `retrieve`. Rows are of the parts of the query, the whole first, then its clauses where there are several; columns of the pool.
 */
export interface QueryColumns {
  /** Ordinals of the tools that are looked at, ascending. */
  readonly pool: Uint32Array;
  readonly parts: number;
  /** What the words of the whole query say, as `retrieve` tells it. */
  readonly evidence: number;
  /** Parts × pool: BM25F as a share of the best tool's. */
  readonly words: Float32Array;
  /** Parts × pool: 0 where it is below. */
  readonly cosines: Float32Array;
  /** By part: what it counts. */
  readonly weights: readonly number[];
  /** By clause: what its vote counts beside the others'. */
  readonly votes: readonly number[];
  /** By place in the pool: share of the tool's name that the query has. */
  readonly nameShare: Float32Array;
  /** Places in the pool of the right tools; −1 for one that is not looked at. */
  readonly right: readonly number[];
}

/** The columns of queries on one catalog whose tools are encoded. */
export function columnsOf(
  index: ToolIndex,
  { query, tools }: LabelledQuery,
  vectors: Float32Array,
  meaning: VectorIndex,
): QueryColumns {
  const { clauses } = splitClauses(query);
  const texts = clauses.length > 1 ? [query, ...clauses] : [query];
  const { ids: near } = meaning.search(vectors, POOL);
  const { ids: withWords, wordEvidence } = retrieve(index, query, { k: POOL });
  const pool = Uint32Array.from(new Set([...withWords, ...near])).sort();
  const rows = texts.map((text) => wordsAlone(index, text, 0));
  const named = wordsAlone(index, query, 1);
  const weights = texts.map((text, part) =>
    part === 0 || asksForSomething(index, text) ? 1 : index.options.statementWeight,
  );
  return {
    pool,
    parts: texts.length,
    evidence: wordEvidence,
    words: Float32Array.from(rows.flatMap((row) => Array.from(pool, (tool) => row[tool] ?? 0))),
    cosines: cosinesOf(vectors, pool, meaning),
    weights,
    votes: clauses.map((text, clause) => (weights[clause + 1] ?? 0) * new Set(wordsOf(text)).size),
    nameShare: Float32Array.from(pool, (tool) => (named[tool] ?? 0) - (rows[0]?.[tool] ?? 0)),
    right: [...new Set(tools)].flatMap((id) => {
      const tool = index.catalog.ordinalOf(id);
      return tool === undefined ? [] : [pool.indexOf(tool)];
    }),
  };
}

/** By tool: its score for a text by words alone, taken as one part. */
function wordsAlone(index: ToolIndex, text: string, nameBonus: number): Float32Array {
  const size = index.catalog.tools.length;
  const { ids, scores } = retrieve({ ...index, options: { ...index.options, nameBonus } }, text, {
    k: size,
    clauses: [text],
  });
  const row = new Float32Array(size);
  for (const [place, tool] of ids.entries()) row[tool] = scores[place] ?? 0;
  return row;
}

/** Given twice, a clause that asks for something is two requests; one that does not is still counted as one. */
function asksForSomething(index: ToolIndex, clause: string): boolean {
  return retrieve(index, clause, { k: 0, clauses: [clause, clause] }).requests === 2;
}

function cosinesOf(vectors: Float32Array, pool: Uint32Array, meaning: VectorIndex): Float32Array {
  const { ids, scores, count } = meaning.search(vectors, pool.length, { allow: pool });
  const placeOf = new Map(Array.from(pool, (tool, place) => [tool, place]));
  const cosines = new Float32Array(ids.length);
  for (const [i, tool] of ids.entries()) {
    const part = Math.floor(i / count);
    cosines[part * count + (placeOf.get(tool) ?? 0)] = Math.max(0, scores[i] ?? 0);
  }
  return cosines;
}
