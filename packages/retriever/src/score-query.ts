import { fillBag } from "./bag-of-terms.ts";
import { clearedScratch, type Scratch } from "./scratch.ts";
import type { Clause } from "./split-clauses.ts";
import type { ToolIndex } from "./tool-index.ts";

/*
 * score(tool) = (1 − λ) · text(query) / best text(query)
 *             + λ · ∛ Σ over clauses: (v_clause · text(clause) / best text(clause))³
 *             + nameBonus · share of the tool name's words, by idf, that the query has
 *
 * text is the BM25F score, each term times its weight in the bag; `best` its maximum over the tools allowed; λ is
 * `clauseShare`, and 0 for a query of one clause; v is 1 for a clause that asks for something, else `statementWeight`. The
 * cube root of cubes lies between the sum and the largest: a tool that serves one clause well is not beaten by one that
 * serves several a little.
 */

/** What one query says of each tool. The columns are scratch: read them before the next query. */
export interface ScoredQuery {
  /** By ordinal; 0 for a tool that has no word of the query or is not allowed. */
  readonly scores: Float32Array;
  /** The tools with a score above 0 are the first `count`. */
  readonly touched: Uint32Array;
  readonly count: number;
  readonly scratch: Scratch;
}

export interface QueryParts {
  readonly text: string;
  readonly clauses: readonly Clause[];
  readonly allow?: Uint32Array | undefined;
}

export function scoreQuery(index: ToolIndex, { text, clauses, allow }: QueryParts): ScoredQuery {
  const { options } = index;
  const scratch = clearedScratch(index);
  const { scores, cubes, nameShare, touched } = scratch;
  allowOnly(scratch, allow);
  fillBag(index, text, scratch);
  scratch.count = addText(index, scratch, scores, touched);
  addNameShares(index, scratch);
  const clauseShare = clauses.length > 1 ? options.clauseShare : 0;
  const wholeScale = (1 - clauseShare) / (largest(scores, touched, scratch.count) || 1);
  if (clauseShare > 0) for (const clause of clauses) addClause(index, clause, scratch);
  for (let place = 0; place < scratch.count; place++) {
    const tool = touched[place]!;
    scores[tool] =
      wholeScale * scores[tool]! + clauseShare * Math.cbrt(cubes[tool]!) + options.nameBonus * nameShare[tool]!;
  }
  return { scores, touched, count: scratch.count, scratch };
}

/** Marks the tools that count; all, if `allow` is not given. */
export function allowOnly(scratch: Scratch, allow: Uint32Array | undefined): void {
  if (allow === undefined) scratch.allowed.fill(1);
  else for (const ordinal of allow) scratch.allowed[ordinal] = 1;
}

/** Adds the bag's BM25F to `column`; the tools it touches go into `touched`, their number is returned. */
export function addText(index: ToolIndex, scratch: Scratch, column: Float32Array, touched: Uint32Array): number {
  const { offsets, ordinals, weights } = index.text;
  const { allowed, terms, termCount, termWeights } = scratch;
  let count = 0;
  for (let place = 0; place < termCount; place++) {
    const term = terms[place]!;
    const termWeight = termWeights[term]!;
    const end = offsets[term + 1]!;
    for (let posting = offsets[term]!; posting < end; posting++) {
      const tool = ordinals[posting]!;
      if (allowed[tool] === 0) continue;
      const sum = column[tool]!;
      if (sum === 0) touched[count++] = tool;
      column[tool] = sum + termWeight * weights[posting]!;
    }
  }
  return count;
}

function addNameShares(index: ToolIndex, scratch: Scratch): void {
  const { offsets, ordinals, weights } = index.names;
  const { nameShare, terms, termCount, termWeights } = scratch;
  for (let place = 0; place < termCount; place++) {
    const term = terms[place]!;
    const end = offsets[term + 1]!;
    for (let posting = offsets[term]!; posting < end; posting++) {
      nameShare[ordinals[posting]!]! += termWeights[term]! * weights[posting]!;
    }
  }
}

/** Adds the cubes of the clause's own scores, the clause's best tool having its weight. */
function addClause(index: ToolIndex, clause: Clause, scratch: Scratch): void {
  const { clauseScores, cubes, scores, touched, clauseTouched } = scratch;
  fillBag(index, clause.text, scratch);
  const count = addText(index, scratch, clauseScores, clauseTouched);
  const weight = clause.isRequest ? 1 : index.options.statementWeight;
  const scale = weight / (largest(clauseScores, clauseTouched, count) || 1);
  for (let place = 0; place < count; place++) {
    const tool = clauseTouched[place]!;
    const share = clauseScores[tool]! * scale;
    clauseScores[tool] = 0;
    // A clause given by the caller may have words that the query has not.
    if (scores[tool] === 0 && cubes[tool] === 0 && share > 0) touched[scratch.count++] = tool;
    cubes[tool]! += share * share * share;
  }
}

/** Largest of the first `count` tools' numbers; 0 if there are none. */
export function largest(column: Float32Array | Uint16Array, tools: Uint32Array, count: number): number {
  let most = 0;
  for (let place = 0; place < count; place++) {
    const value = column[tools[place]!]!;
    if (value > most) most = value;
  }
  return most;
}
