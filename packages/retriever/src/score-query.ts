import type { Clause } from "@setwise/core";
import { bestFirst } from "./best-first.ts";
import { clauseVotes } from "./clause-votes.ts";
import { toolsNamedIn } from "./exact-names.ts";
import { clearedScratch, type Scratch } from "./scratch.ts";
import { allowOnly, scorePart } from "./score-words.ts";
import { type ToolEmbeddings, vectorsOf } from "./tool-embeddings.ts";
import type { ToolIndex } from "./tool-index.ts";
import { plainWords, words as wordsOf } from "./words.ts";

/*
 * score(tool) = (1 − λ) · base(query) + λ · ∛ Σ over clauses: (v_clause · base(clause))³
 *             + ε · nameBonus · share of the tool name's words, by idf, that the query has
 *             + ν · votes of the clauses for the tool, see clause-votes.ts
 * base(part)  = ε · ω · text(part) / best text(part) + max(0, cos(part, tool))
 * ε           = min(1, best text(query) / (φ · weight of a word that one tool alone has))², 1 where the query has a whole name of several words
 *
 * text is the BM25F score, each term times its weight in the bag; `best` its maximum over the tools allowed; λ is
 * `clauseShare`, and 0 for a query of one clause; v is 1 for a clause that asks for something, else `statementWeight`. ω is
 * `wordWeight`, ν is `clauseVote` and 0 for a query of one clause; without vectors there are no cosines, ω and ε are 1 and ν is 0. ε is how far
 * the words are believed, for all parts alike, and φ is `fullEvidence`: the best tool by words may be a poor one, and a cosine says more than
 * one ordinary word in a name. A clause is short, but what stands around it tells that the request speaks the language of the tools. The
 * cube root of cubes lies between the sum and the largest: a tool that serves one clause well is not beaten by one that serves
 * several a little.
 */

/** So many tools with the best words, and so many with the best cosine to each part, are looked at where there are vectors. */
const POOL = 200;
/** How steeply words that say little lose their say; chosen with `fullEvidence`. */
const EVIDENCE_POWER = 2;

/** What one query says of each tool. The columns are scratch: read them before the next query. */
export interface ScoredQuery {
  /** By ordinal; 0 for a tool that is not looked at. */
  readonly scores: Float32Array;
  /** The tools that are looked at are the first `count`: those with a word of the query, or the best by words and by meaning. */
  readonly tools: Uint32Array;
  readonly count: number;
  /** Largest cosine of a tool with the whole query, where there are vectors. */
  readonly bestCosine: number | undefined;
  /** Best text score of the whole query, in words that one tool alone has; infinite where a whole name of several words stands in it. */
  readonly wordEvidence: number;
  /** The query's {@link plainWords}, and the tools whose exact names they hold. */
  readonly queryWords: readonly string[];
  readonly named: readonly number[];
  readonly scratch: Scratch;
  /** What the parts are made of, for {@link baseOf}. */
  readonly parts: Parts;
}

export interface QueryParts {
  readonly text: string;
  readonly clauses: readonly Clause[];
  readonly allow?: Uint32Array | undefined;
  /** Vectors of the query and, where it has several, of each clause; see `encodeQuery`. */
  readonly vectors?: Float32Array | undefined;
  /** Tools that are looked at whatever their words and their meaning. */
  readonly also?: readonly number[];
}

/** The parts of a query, the whole first. */
export interface Parts {
  readonly count: number;
  /** ε · ω / best text of each part, times what the part counts. */
  readonly wordScales: Float64Array;
  /** What each part counts. */
  readonly weights: Float64Array;
  /** By part and then by place in the pool; empty without vectors. */
  readonly cosines: Float32Array;
  readonly poolSize: number;
  /** By place in the pool: what the votes of the clauses add; empty without vectors and for one clause. */
  readonly votes: Float32Array;
  readonly clauseShare: number;
  /** ε · nameBonus. */
  readonly nameScale: number;
}

export function scoreQuery(index: ToolIndex, query: QueryParts): ScoredQuery {
  const { options, embeddings } = index;
  const scratch = clearedScratch(index);
  const { scores, touched } = scratch;
  allowOnly(scratch, query.allow);
  const byMeaning = query.vectors !== undefined && embeddings !== undefined;
  const texts = partsOf(query);
  const weights = Float64Array.from(texts, (_, part) =>
    part === 0 || query.clauses[part - 1]!.isRequest ? 1 : options.statementWeight,
  );
  const best = weights.map((_, part) => scorePart(index, texts[part]!, scratch));
  const queryWords = plainWords(query.text);
  const named = toolsNamedIn(index.exactNames, queryWords).filter((tool) => scratch.allowed[tool] === 1);
  const wordEvidence = named.some((tool) => hasLongName(index, tool))
    ? Infinity
    : best[0]! / loneWordWeight(index.catalog.tools.length);
  const clauseShare = texts.length > 1 ? options.clauseShare : 0;
  const words: Parts = {
    count: texts.length,
    wordScales: weights.map((weight, part) => weight / (best[part]! || 1)),
    weights,
    cosines: none,
    poolSize: 0,
    votes: none,
    clauseShare,
    nameScale: options.nameBonus,
  };
  for (let place = 0; place < scratch.count; place++) {
    scores[touched[place]!] = scoreOf(words, touched[place]!, 0, scratch);
  }
  const known = { scores, wordEvidence, queryWords, named, scratch };
  if (!byMeaning) return { ...known, tools: touched, count: scratch.count, bestCosine: undefined, parts: words };
  const pool = poolOf(embeddings, query, scratch);
  const cosines = cosinesOf(embeddings, query, pool, scratch);
  const belief = beliefIn(wordEvidence, options.fullEvidence);
  const bare: Parts = {
    ...words,
    wordScales: words.wordScales.map((scale) => scale * belief * options.wordWeight),
    nameScale: belief * options.nameBonus,
    cosines,
    poolSize: pool.length,
  };
  const parts: Parts = { ...bare, votes: votesOf(bare, query, pool, scratch, options.clauseVote) };
  scores.fill(0);
  for (const [place, tool] of pool.entries()) scores[tool] = scoreOf(parts, tool, place, scratch);
  const bestCosine = cosines.subarray(0, pool.length).reduce((best, cosine) => Math.max(best, cosine), 0);
  return { ...known, tools: pool, count: pool.length, bestCosine, parts };
}

/** Whether the tool's name is of several words: one word is also said by chance. */
function hasLongName({ catalog }: ToolIndex, tool: number): boolean {
  return plainWords(catalog.tools[tool]!.name).length > 1;
}

/** Inverse document frequency of a word that one of so many tools has, as build-index.ts weighs it. */
function loneWordWeight(tools: number): number {
  return Math.log(1 + (Math.max(1, tools) - 0.5) / 1.5);
}

/** ε: how far words are believed beside meaning, 0 to 1. */
function beliefIn(wordEvidence: number, fullEvidence: number): number {
  return wordEvidence >= fullEvidence ? 1 : (wordEvidence / fullEvidence) ** EVIDENCE_POWER;
}

const none: Float32Array = new Float32Array(0);

/** The texts that are scored: the query, and its clauses where it has several. */
export function partsOf({ text, clauses }: Pick<QueryParts, "text" | "clauses">): readonly string[] {
  return clauses.length > 1 ? [text, ...clauses.map((clause) => clause.text)] : [text];
}

function scoreOf(parts: Parts, tool: number, place: number, scratch: Scratch): number {
  let cubes = 0;
  for (let part = 1; part < parts.count; part++) {
    const base = baseOf(parts, part, tool, place, scratch);
    cubes += base * base * base;
  }
  const whole = baseOf(parts, 0, tool, place, scratch);
  const votes = parts.votes.length === 0 ? 0 : parts.votes[place]!;
  return (
    votes +
    (1 - parts.clauseShare) * whole +
    parts.clauseShare * Math.cbrt(cubes) +
    parts.nameScale * scratch.nameShare[tool]!
  );
}

/** By place in the pool: ν times the votes of the clauses, a clause counting by its words. */
function votesOf(parts: Parts, query: QueryParts, pool: Uint32Array, scratch: Scratch, vote: number): Float32Array {
  const clauses = parts.count - 1;
  if (clauses === 0 || vote === 0) return none;
  const bases = new Float32Array(clauses * pool.length);
  for (let clause = 0; clause < clauses; clause++) {
    const weight = parts.weights[clause + 1]! || 1;
    for (const [place, tool] of pool.entries())
      bases[clause * pool.length + place] = baseOf(parts, clause + 1, tool, place, scratch) / weight;
  }
  const counts = query.clauses.map(({ text }, clause) => parts.weights[clause + 1]! * new Set(wordsOf(text)).size);
  return clauseVotes(bases, counts).map((votes) => vote * votes);
}

/** What a part of the query counts, times its base score of a tool that has `place` in the pool. */
export function baseOf(parts: Parts, part: number, tool: number, place: number, { textScores }: Scratch): number {
  const words = parts.wordScales[part]! * textScores[part]![tool]!;
  return parts.poolSize === 0 ? words : words + parts.weights[part]! * parts.cosines[part * parts.poolSize + place]!;
}

/** The tools that are looked at: the best by words, and the best by meaning for each part. */
function poolOf(embeddings: ToolEmbeddings, { vectors, allow, also = [] }: QueryParts, scratch: Scratch): Uint32Array {
  const near = vectorsOf(embeddings).search(vectors!, POOL, allow === undefined ? {} : { allow });
  const byWords = bestFirst(scratch.touched, scratch.count, scratch.scores, POOL);
  return Uint32Array.from(new Set([...byWords, ...near.ids, ...also])).sort();
}

/** By part and then by place in the pool: cosines, those below 0 as 0. */
function cosinesOf(
  embeddings: ToolEmbeddings,
  { vectors }: QueryParts,
  pool: Uint32Array,
  scratch: Scratch,
): Float32Array {
  const { ids, scores, count } = vectorsOf(embeddings).search(vectors!, pool.length, { allow: pool });
  if (scratch.cosines.length < ids.length) scratch.cosines = new Float32Array(2 * ids.length);
  const placeOf = scratch.partTouched;
  for (const [place, tool] of pool.entries()) placeOf[tool] = place;
  for (let i = 0; i < ids.length; i++) {
    const part = Math.floor(i / count);
    scratch.cosines[part * count + placeOf[ids[i]!]!] = Math.max(0, scores[i]!);
  }
  return scratch.cosines;
}
