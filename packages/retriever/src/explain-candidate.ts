import { type Explanation, SEARCHED_QUERY_CHARACTERS, SetwiseError, type Tool } from "@setwise/core";
import { fillBag, type Origins } from "./bag-of-terms.ts";
import { explainReranking } from "./explain-reranking.ts";
import type { Reranking } from "./rerank.ts";
import { queryClauses, type RetrieveOptions } from "./retrieve.ts";
import { clearedScratch } from "./scratch.ts";
import { baseOf, partsOf, type QueryParts, type ScoredQuery, scoreQuery } from "./score-query.ts";
import { stem } from "./stem.ts";
import { type Field, fields, fieldTexts } from "./tool-fields.ts";
import type { Postings, ToolIndex } from "./tool-index.ts";
import { plainWords } from "./words.ts";

export interface ExplainOptions extends Pick<RetrieveOptions, "clauses" | "allow" | "vectors"> {
  /** What {@link rerank} gave, if the score is the one of its new place. */
  readonly reranking?: Reranking;
}

/** Below this cosine a tool is not called near; the score has it all the same. */
const FAR = 0.3;

const fieldNames: Readonly<Record<Field, string>> = {
  name: "name",
  description: "description",
  parameters: "parameters",
  returns: "returned data",
  server: "server name",
};

/** What one term adds to a score, and where it comes from. */
interface Part {
  readonly word: string;
  inQuery: number;
  inClauses: number;
  inName: number;
}

interface TermSum {
  readonly term: number;
  /** The word of the query from which the term came. */
  readonly word: string;
  readonly weight: number;
  readonly nameShare: number;
}

/** What its meaning adds to a score. */
interface Meaning {
  /** With the whole query, or with the clause that the tool is nearest to. */
  cosine: number;
  inQuery: number;
  inClauses: number;
}

/**
 * Why {@link retrieve} gives the tool its score: one child for each word of the query (and what stands for it) that the tool
 * has, saying in which fields it stands, and one for its meaning where vectors are given; the heaviest first, and before them what a
 * re-ranker made of it. The children's values add up to the score, but for rounding.
 *
 * @param options The `clauses`, `allow` and `vectors` that `retrieve` was given, and the `reranking`, if there was one.
 * @throws SetwiseError `unknown-tool` when the catalog has no such ordinal.
 */
export function explainCandidate(
  index: ToolIndex,
  query: string,
  ordinal: number,
  options: ExplainOptions = {},
): Explanation {
  const first = explainFirstStage(index, query, ordinal, options);
  return options.reranking === undefined ? first : explainReranking(first, options.reranking, ordinal);
}

function explainFirstStage(index: ToolIndex, query: string, ordinal: number, options: ExplainOptions): Explanation {
  const tool = index.catalog.tools[ordinal];
  if (tool === undefined) {
    const last = index.catalog.tools.length - 1;
    throw new SetwiseError("unknown-tool", `The catalog has tools 0 to ${last}, but none at ${ordinal}.`);
  }
  const text = query.slice(0, SEARCHED_QUERY_CHARACTERS);
  const clauses = queryClauses(text, options.clauses);
  const asked: QueryParts = { text, clauses, allow: options.allow, vectors: options.vectors, also: [ordinal] };
  const scored = scoreQuery(index, asked);
  const value = scored.scores[ordinal] ?? 0;
  if (value === 0) return { value: 0, sentence: `${tool.name} has no word of the query.`, children: [] };

  const shares = sharesOf(index, scored, ordinal);
  const parts = gatherParts(index, asked, ordinal, shares);
  const spellings = spellingsOf(index, tool);
  const words = Array.from(parts, ([term, part]) => explainPart(part, spellings.get(term)));
  const meaning = explainMeaning(shares.meaning);
  const votes = explainVotes(shares.votes);
  const children = [...words, ...meaning, ...votes].sort((a, b) => b.value - a.value);
  const shared = [...new Set(words.map((child) => child.sentence.slice(0, child.sentence.indexOf('"', 1) + 1)))];
  const sentences = [
    ...(shared.length === 0 ? [] : [`matches ${listed(shared)} of the query`]),
    ...(shares.meaning.cosine < FAR ? [] : [`is near ${shared.length === 0 ? "the query" : "it"} in meaning`]),
  ];
  if (sentences.length === 0) sentences.push("has no word of the query and is hardly near it in meaning");
  return { value, sentence: `${tool.name} ${listed(sentences)}.`, children };
}

/** What the formula of score-query.ts makes of one tool. */
interface Shares {
  /** By part: what a unit of BM25F adds to the score. */
  readonly ofText: Float64Array;
  /** What the whole name adds. */
  readonly ofName: number;
  readonly meaning: Meaning;
  readonly votes: number;
}

function sharesOf(index: ToolIndex, { parts, tools, count, scratch }: ScoredQuery, ordinal: number): Shares {
  const place = tools.subarray(0, count).indexOf(ordinal);
  const bases = Float64Array.from({ length: parts.count }, (_, part) => baseOf(parts, part, ordinal, place, scratch));
  const cubes = bases.subarray(1).reduce((sum, base) => sum + base ** 3, 0);
  // A clause's part of the cube root, for each unit of its base.
  const scales = bases.map((base, part) => {
    if (part === 0) return 1 - parts.clauseShare;
    return cubes === 0 ? 0 : (parts.clauseShare * Math.cbrt(cubes) * base * base) / cubes;
  });
  const cosines = bases.map((_, part) => (parts.poolSize === 0 ? 0 : parts.cosines[part * parts.poolSize + place]!));
  const added = scales.map((scale, part) => scale * parts.weights[part]! * cosines[part]!);
  return {
    ofText: scales.map((scale, part) => scale * parts.wordScales[part]!),
    ofName: parts.nameScale,
    meaning: {
      cosine: cosines.reduce((most, cosine) => Math.max(most, cosine), 0),
      inQuery: added[0] ?? 0,
      inClauses: added.subarray(1).reduce((sum, value) => sum + value, 0),
    },
    votes: parts.votes.length === 0 ? 0 : parts.votes[place]!,
  };
}

/** The words behind the score, term by term. */
function gatherParts(
  index: ToolIndex,
  asked: QueryParts,
  ordinal: number,
  { ofText, ofName }: Shares,
): Map<number, Part> {
  const found = new Map<number, Part>();
  for (const [part, text] of partsOf(asked).entries()) {
    for (const { term, word, weight, nameShare } of termsOf(index, text, ordinal)) {
      let entry = found.get(term);
      if (entry === undefined) found.set(term, (entry = { word, inQuery: 0, inClauses: 0, inName: 0 }));
      if (part === 0) {
        entry.inQuery = ofText[0]! * weight;
        entry.inName = ofName * nameShare;
      } else entry.inClauses += ofText[part]! * weight;
    }
  }
  return found;
}

/** The terms of a text that the tool has. */
function termsOf(index: ToolIndex, text: string, ordinal: number): readonly TermSum[] {
  const scratch = clearedScratch(index);
  const origins: Origins = new Map();
  fillBag(index, text, scratch, origins);
  return Array.from(scratch.terms.subarray(0, scratch.termCount), (term): TermSum => {
    const termWeight = scratch.termWeights[term]!;
    return {
      term,
      word: origins.get(term) ?? "",
      weight: termWeight * weightOf(index.text, term, ordinal),
      nameShare: termWeight * weightOf(index.names, term, ordinal),
    };
  }).filter((sum) => sum.weight > 0);
}

/** The weight of a term's posting for one tool, by bisection; 0 if the tool has not that term. */
function weightOf({ offsets, ordinals, weights }: Postings, term: number, ordinal: number): number {
  const end = offsets[term + 1]!;
  let low = offsets[term]!;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordinals[middle]! < ordinal) low = middle + 1;
    else high = middle;
  }
  return low < end && ordinals[low] === ordinal ? weights[low]! : 0;
}

interface Spelling {
  readonly word: string;
  readonly places: readonly string[];
}

/** How the tool itself spells each of its terms first, and in which fields it has it. */
function spellingsOf(index: ToolIndex, tool: Tool): Map<number, Spelling> {
  const found = new Map<number, { word: string; places: string[] }>();
  for (const [field, text] of fieldTexts(tool).entries()) {
    const place = fieldNames[fields[field]!];
    for (const word of plainWords(text)) {
      const term = index.vocabulary.get(stem(word));
      if (term === undefined) continue;
      const spelling = found.get(term);
      if (spelling === undefined) found.set(term, { word, places: [place] });
      else if (!spelling.places.includes(place)) spelling.places.push(place);
    }
  }
  return found;
}

function explainPart({ word, inQuery, inClauses, inName }: Part, spelling: Spelling | undefined): Explanation {
  const own = spelling?.word ?? word;
  const match = stem(own) === stem(word) ? `"${word}"` : `"${word}" (as "${own}")`;
  return {
    value: inQuery + inClauses + inName,
    sentence: `${match} is in the ${listed(spelling?.places ?? [])}`,
    children: [
      { value: inQuery, sentence: "as a word of the whole query", children: [] },
      { value: inClauses, sentence: "as a word of a part of the query", children: [] },
      { value: inName, sentence: "as a word of the tool's name", children: [] },
    ].filter((part) => part.value > 0),
  };
}

function explainMeaning({ cosine, inQuery, inClauses }: Meaning): readonly Explanation[] {
  if (inQuery + inClauses === 0) return [];
  const children = [
    { value: inQuery, sentence: "as the meaning of the whole query", children: [] },
    { value: inClauses, sentence: "as the meaning of a part of the query", children: [] },
  ].filter((part) => part.value > 0);
  const nearness = cosine < FAR ? "adds little" : "is near";
  const sentence = `its meaning ${nearness} (cosine ${cosine.toFixed(2)})`;
  return [{ value: inQuery + inClauses, sentence, children }];
}

function explainVotes(votes: number): readonly Explanation[] {
  return votes === 0
    ? []
    : [{ value: votes, sentence: "a part of the query fits it better than other tools", children: [] }];
}

/** "a", "a and b", "a, b and c". */
function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
