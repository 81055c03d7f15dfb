import type { LexicalEvidence } from "@setwise/core";
import { clearedScratch, type Scratch } from "./scratch.ts";
import { stem } from "./stem.ts";
import type { ToolIndex } from "./tool-index.ts";
import { plainWords } from "./words.ts";

/*
 * score(tool) = (1 − λ) · text(query) / best text(query)
 *             + λ · max over clauses: text(clause) / best text(clause)
 *             + nameBonus · share of the tool name's words, by idf, that the query has
 *
 * text is the BM25F score over the distinct words, `best` its maximum over the tools allowed; λ is `clauseShare`, and 0 for a
 * query of one clause.
 */

/** What one query says of each tool. The columns are scratch: read them before the next query. */
export interface ScoredQuery {
  /** By ordinal; 0 for a tool that has no word of the query or is not allowed. */
  readonly scores: Float32Array;
  /** The tools with a score above 0 are the first `count`. */
  readonly touched: Uint32Array;
  readonly count: number;
  /** The largest BM25F score of the whole query; 1 if no word matches. */
  readonly bestText: number;
  readonly evidence: Omit<LexicalEvidence, "namesTool">;
}

export interface QueryParts {
  /** The query's {@link plainWords}. */
  readonly queryWords: readonly string[];
  readonly clauses: readonly string[];
  readonly allow?: Uint32Array | undefined;
}

export function scoreQuery(index: ToolIndex, { queryWords, clauses, allow }: QueryParts): ScoredQuery {
  const scratch = clearedScratch(index);
  const { scores, bestClause, nameShare, coverage, matched, touched } = scratch;
  allowOnly(scratch, allow);
  const bag = scoreWhole(index, queryWords, scratch);
  const clauseShare = clauses.length > 1 ? index.options.clauseShare : 0;
  const bestText = largest(scores, touched, scratch.count);
  const wholeScale = (1 - clauseShare) / bestText;
  if (clauseShare > 0) for (const clause of clauses) scoreClause(index, clause, scratch);

  let queryCoverage = 0;
  let nameCoverage = 0;
  let matchedWords = 0;
  for (let place = 0; place < scratch.count; place++) {
    const tool = touched[place]!;
    queryCoverage = Math.max(queryCoverage, coverage[tool]!);
    nameCoverage = Math.max(nameCoverage, nameShare[tool]!);
    matchedWords = Math.max(matchedWords, matched[tool]!);
    scores[tool] =
      wholeScale * scores[tool]! + clauseShare * bestClause[tool]! + index.options.nameBonus * nameShare[tool]!;
  }
  return {
    scores,
    touched,
    count: scratch.count,
    bestText,
    evidence: {
      queryCoverage: bag.weight > 0 ? Math.min(1, queryCoverage / bag.weight) : 0,
      nameCoverage: Math.min(1, nameCoverage),
      matchedWords,
      queryWords: bag.words,
    },
  };
}

/** Marks the tools that count; all, if `allow` is not given. */
function allowOnly(scratch: Scratch, allow: Uint32Array | undefined): void {
  if (allow === undefined) scratch.allowed.fill(1);
  else for (const ordinal of allow) scratch.allowed[ordinal] = 1;
}

/** Adds up the whole query's words; returns their number and weight, words that no tool has included. */
function scoreWhole(
  index: ToolIndex,
  queryWords: readonly string[],
  scratch: Scratch,
): { words: number; weight: number } {
  const unknown = new Set<string>();
  let weight = 0;
  let known = 0;
  scratch.bag++;
  for (const word of queryWords) {
    const stemmed = stem(word);
    const term = index.vocabulary.get(stemmed);
    if (term !== undefined && scratch.seenIn[term] !== scratch.bag) {
      scratch.seenIn[term] = scratch.bag;
      weight += index.idf[term]!;
      known++;
      addTerm(index, term, scratch);
    } else if (term === undefined && stemmed !== "" && !isNumber(stemmed)) unknown.add(stemmed);
  }
  const rarest = Math.log(1 + (index.catalog.tools.length + 0.5) / 0.5);
  return { words: known + unknown.size, weight: weight + unknown.size * rarest };
}

/** Digits that no tool has are somebody's order or account number and say nothing of what is asked. */
function isNumber(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}

function addTerm(index: ToolIndex, term: number, scratch: Scratch): void {
  const { offsets, ordinals, weights } = index.text;
  const { scores, coverage, matched, allowed, touched } = scratch;
  const idf = index.idf[term]!;
  let count = scratch.count;
  for (let posting = offsets[term]!; posting < offsets[term + 1]!; posting++) {
    const tool = ordinals[posting]!;
    if (allowed[tool] === 0) continue;
    if (matched[tool] === 0) touched[count++] = tool;
    matched[tool]!++;
    scores[tool]! += weights[posting]!;
    coverage[tool]! += idf;
  }
  scratch.count = count;
  const { nameShare } = scratch;
  const names = index.names;
  for (let posting = names.offsets[term]!; posting < names.offsets[term + 1]!; posting++) {
    nameShare[names.ordinals[posting]!]! += names.weights[posting]!;
  }
}

/** Raises `bestClause` to the clause's own scores, the clause's best tool having 1. */
function scoreClause(index: ToolIndex, text: string, scratch: Scratch): void {
  const { offsets, ordinals, weights } = index.text;
  const { clause, bestClause, matched, allowed, touched, clauseTouched } = scratch;
  let count = 0;
  scratch.bag++;
  for (const word of plainWords(text)) {
    const term = index.vocabulary.get(stem(word));
    if (term === undefined || scratch.seenIn[term] === scratch.bag) continue;
    scratch.seenIn[term] = scratch.bag;
    for (let posting = offsets[term]!; posting < offsets[term + 1]!; posting++) {
      const tool = ordinals[posting]!;
      if (allowed[tool] === 0) continue;
      if (clause[tool] === 0) clauseTouched[count++] = tool;
      clause[tool]! += weights[posting]!;
    }
  }
  const scale = 1 / largest(clause, clauseTouched, count);
  for (let place = 0; place < count; place++) {
    const tool = clauseTouched[place]!;
    // A clause given by the caller may have words that the query has not.
    if (bestClause[tool] === 0 && matched[tool] === 0) touched[scratch.count++] = tool;
    bestClause[tool] = Math.max(bestClause[tool]!, clause[tool]! * scale);
    clause[tool] = 0;
  }
}

/** Largest of the first `count` tools' numbers; 1 if there are none, so that nothing is divided by zero. */
function largest(column: Float32Array, tools: Uint32Array, count: number): number {
  let most = 0;
  for (let place = 0; place < count; place++) most = Math.max(most, column[tools[place]!]!);
  return most || 1;
}
