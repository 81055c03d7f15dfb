import { type Explanation, SetwiseError } from "@setwise/core";
import type { RetrieveOptions } from "./retrieve.ts";
import { scoreQuery } from "./score-query.ts";
import { SEARCHED_QUERY_CHARACTERS, splitClauses } from "./split-clauses.ts";
import { stem } from "./stem.ts";
import { type Field, fields, fieldTexts } from "./tool-fields.ts";
import type { Postings, ToolIndex } from "./tool-index.ts";
import { plainWords, words } from "./words.ts";

export type ExplainOptions = Pick<RetrieveOptions, "clauses" | "allow">;

const fieldNames: Readonly<Record<Field, string>> = {
  name: "name",
  description: "description",
  parameters: "parameters",
  server: "server name",
};

/**
 * Why {@link retrieve} gives the tool its score: one child for each word that the query and the tool share, the heaviest
 * first, saying in which fields it stands. The children's values add up to the score, but for rounding.
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
  const given = options.clauses ?? splitClauses(text).clauses;
  const clauses = given.length === 0 ? [text] : given;
  const clause = bestClause(index, ordinal, clauses, options.allow);
  const { scores, bestText } = scoreQuery(index, { queryWords: plainWords(text), clauses, allow: options.allow });
  const value = scores[ordinal] ?? 0;
  if (value === 0) return { value, sentence: `${tool.name} has no word of the query.`, children: [] };

  const clauseShare = clauses.length > 1 ? index.options.clauseShare : 0;
  const whole = spellings(index, text);
  const ofClause = spellings(index, clause.text);
  const places = new Map(fieldTexts(tool).map((content, field) => [fields[field]!, new Set(words(content))]));
  const children: Explanation[] = [];
  for (const [term, word] of new Map([...ofClause, ...whole])) {
    const weight = weightOf(index.text, term, ordinal);
    if (weight === 0) continue;
    const inQuery = whole.has(term) ? ((1 - clauseShare) * weight) / bestText : 0;
    const inClause = ofClause.has(term) ? (clauseShare * weight) / clause.bestText : 0;
    const inName = whole.has(term) ? index.options.nameBonus * weightOf(index.names, term, ordinal) : 0;
    const found = fields.filter((field) => places.get(field)?.has(stem(word))).map((field) => fieldNames[field]);
    children.push({
      value: inQuery + inClause + inName,
      sentence: `"${word}" is in the ${inWords(found)}`,
      children: [
        { value: inQuery, sentence: "as a word of the whole query", children: [] },
        {
          value: inClause,
          sentence: `as a word of "${clause.text}", the part of the query that fits best`,
          children: [],
        },
        { value: inName, sentence: "as a word of the tool's name", children: [] },
      ].filter((part) => part.value > 0),
    });
  }
  children.sort((a, b) => b.value - a.value);
  const shared = inWords(children.map((child) => child.sentence.slice(0, child.sentence.indexOf('"', 1) + 1)));
  return { value, sentence: `${tool.name} shares ${shared} with the query.`, children };
}

/** The clause in which the tool does best, and the best score any tool has in it. */
function bestClause(
  index: ToolIndex,
  ordinal: number,
  clauses: readonly string[],
  allow: Uint32Array | undefined,
): { text: string; bestText: number } {
  let best = { text: "", bestText: 1 };
  if (clauses.length < 2) return best;
  let most = 0;
  for (const text of clauses) {
    const { bestText } = scoreQuery(index, { queryWords: plainWords(text), clauses: [text], allow });
    let own = 0;
    for (const term of spellings(index, text).keys()) own += weightOf(index.text, term, ordinal);
    if (own / bestText > most) {
      most = own / bestText;
      best = { text, bestText };
    }
  }
  return best;
}

/** The known terms of a text, each with the word that first stood for it. */
function spellings(index: ToolIndex, text: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const word of plainWords(text)) {
    const term = index.vocabulary.get(stem(word));
    if (term !== undefined && !found.has(term)) found.set(term, word);
  }
  return found;
}

/** The weight of a term's posting for one tool, by bisection; 0 if the tool has not that term. */
function weightOf({ offsets, ordinals, weights }: Postings, term: number, ordinal: number): number {
  let low = offsets[term]!;
  let high = offsets[term + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordinals[middle]! < ordinal) low = middle + 1;
    else high = middle;
  }
  return low < offsets[term + 1]! && ordinals[low] === ordinal ? weights[low]! : 0;
}

/** "a", "a and b", "a, b and c". */
function inWords(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
