import { type Explanation, SetwiseError, type Tool } from "@setwise/core";
import { fillBag, type Origins } from "./bag-of-terms.ts";
import { queryClauses, type RetrieveOptions } from "./retrieve.ts";
import { addText, allowOnly, largest, scoreQuery } from "./score-query.ts";
import { clearedScratch } from "./scratch.ts";
import { type Clause, SEARCHED_QUERY_CHARACTERS } from "./split-clauses.ts";
import { stem } from "./stem.ts";
import { type Field, fields, fieldTexts } from "./tool-fields.ts";
import type { Postings, ToolIndex } from "./tool-index.ts";
import { plainWords } from "./words.ts";

export type ExplainOptions = Pick<RetrieveOptions, "clauses" | "allow">;

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

/** What a text says of one tool. */
interface Sum {
  readonly terms: readonly TermSum[];
  readonly total: number;
  /** The largest total of any tool; 1 if there is none. */
  readonly best: number;
}

/**
 * Why {@link retrieve} gives the tool its score: one child for each word of the query (and what stands for it) that the tool
 * has, the heaviest first, saying in which fields it stands. The children's values add up to the score, but for rounding.
 *
 * @param options The `clauses` and `allow` that `retrieve` was given.
 * @throws SetwiseError `unknown-tool` when the catalog has no such ordinal.
 */
export function explainCandidate(
  index: ToolIndex,
  query: string,
  ordinal: number,
  options: ExplainOptions = {},
): Explanation {
  const tool = index.catalog.tools[ordinal];
  if (tool === undefined) {
    const last = index.catalog.tools.length - 1;
    throw new SetwiseError("unknown-tool", `The catalog has tools 0 to ${last}, but none at ${ordinal}.`);
  }
  const text = query.slice(0, SEARCHED_QUERY_CHARACTERS);
  const clauses = queryClauses(text, options.clauses);
  const parts = gatherParts(index, { text, clauses, ordinal, allow: options.allow });
  const value = scoreQuery(index, { text, clauses, allow: options.allow }).scores[ordinal] ?? 0;
  if (value === 0) return { value: 0, sentence: `${tool.name} has no word of the query.`, children: [] };

  const spellings = spellingsOf(index, tool);
  const children = Array.from(parts, ([term, part]) => explainPart(part, spellings.get(term)));
  children.sort((a, b) => b.value - a.value);
  const shared = [...new Set(children.map((child) => child.sentence.slice(0, child.sentence.indexOf('"', 1) + 1)))];
  return { value, sentence: `${tool.name} matches ${listed(shared)} of the query.`, children };
}

interface Asked {
  readonly text: string;
  readonly clauses: readonly Clause[];
  readonly ordinal: number;
  readonly allow: Uint32Array | undefined;
}

/** The formula of score-query.ts for one tool, term by term. */
function gatherParts(index: ToolIndex, asked: Asked): Map<number, Part> {
  const { options } = index;
  const { text, clauses } = asked;
  const parts = new Map<number, Part>();
  const clauseShare = clauses.length > 1 ? options.clauseShare : 0;
  const whole = sumOf(index, text, asked);
  for (const { term, word, weight, nameShare } of whole.terms) {
    const part = partOf(parts, term, word);
    part.inQuery = ((1 - clauseShare) * weight) / whole.best;
    part.inName = options.nameBonus * nameShare;
  }
  if (clauseShare === 0) return parts;

  const sums = clauses.map((clause) => sumOf(index, clause.text, asked));
  const cubes = sums.map(({ total, best }, place) => {
    return (((clauses[place]?.isRequest ? 1 : options.statementWeight) * total) / best) ** 3;
  });
  const together = cubes.reduce((sum, cube) => sum + cube, 0);
  for (const [place, { terms, total }] of sums.entries()) {
    if (total === 0) continue;
    const ofClause = (clauseShare * Math.cbrt(together) * (cubes[place] ?? 0)) / together;
    for (const { term, word, weight } of terms) partOf(parts, term, word).inClauses += (ofClause * weight) / total;
  }
  return parts;
}

function partOf(parts: Map<number, Part>, term: number, word: string): Part {
  let part = parts.get(term);
  if (part === undefined) parts.set(term, (part = { word, inQuery: 0, inClauses: 0, inName: 0 }));
  return part;
}

/** The terms of a text that the tool has, their sum, and the largest sum that any tool reaches. */
function sumOf(index: ToolIndex, text: string, { ordinal, allow }: Asked): Sum {
  const scratch = clearedScratch(index);
  const origins: Origins = new Map();
  allowOnly(scratch, allow);
  fillBag(index, text, scratch, origins);
  const count = addText(index, scratch, scratch.scores, scratch.touched);
  const terms: TermSum[] = [];
  let total = 0;
  for (const term of scratch.terms.subarray(0, scratch.termCount)) {
    const termWeight = scratch.termWeights[term]!;
    const weight = termWeight * weightOf(index.text, term, ordinal);
    if (weight === 0) continue;
    total += weight;
    const nameShare = termWeight * weightOf(index.names, term, ordinal);
    terms.push({ term, word: origins.get(term) ?? "", weight, nameShare });
  }
  return { terms, total, best: largest(scratch.scores, scratch.touched, count) || 1 };
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

/** "a", "a and b", "a, b and c". */
function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
