import { leadWords, questionWords, requestPhrases, requestVerbs, strongConnectors } from "./request-words.ts";
import { stopWords } from "./stop-words.ts";

/** A clause is split off only from, and into, at least this many words: "buy bread and butter" stays one. */
const FEWEST_WORDS = 3;
/** A sentence of fewer words is no clause ("Thanks!"), unless it is written without spaces. */
const FEWEST_WORDS_ALONE = 2;
const SPACELESS = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]/;
/** A request phrase further on belongs to something else. */
const PHRASE_REACH = 6;
/** More words than these before a request are not read over ("and then also please"), lest "and and and …" cost a square. */
const MOST_LEAD_WORDS = 8;
/** Further clauses are not scored by themselves; their words still count in the whole query. */
const MOST_CLAUSES = 12;
/** Of a longer text only the beginning is read. */
export const SEARCHED_QUERY_CHARACTERS = 20_000;

/** Letters and digits, with apostrophes, dots, underscores and hyphens inside. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’._-][\p{L}\p{M}\p{N}]+)*/gu;
const SENTENCE_END = /[.!?;](?=\s)|[。！？；\n]/u;
/** A full stop after these ends no sentence. */
const abbreviations = new Set("mr mrs ms dr st vs no e.g i.e etc approx".split(" "));

export interface Clauses {
  /** The parts of a query, in order, at least one, as they stand in it. */
  readonly clauses: readonly string[];
  /** How many of them ask for something, at least 1. */
  readonly requests: number;
}

export interface Clause {
  readonly text: string;
  /** Whether it asks for something; "My name is Ada." does not. */
  readonly isRequest: boolean;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What stands between the word before and this one. */
  readonly gap: "sentence" | "comma" | "space";
}

/**
 * Splits a query into clauses: at sentence ends, and where ", and", "and", "then", "as well as" or a comma is followed by a
 * verb of request or a request phrase. Deterministic, in linear time; English, but for sentence ends.
 */
export function splitClauses(query: string): Clauses {
  const clauses = clausesOf(query);
  return { clauses: clauses.map((clause) => clause.text), requests: countRequests(clauses) };
}

/** How many of the clauses ask for something, at least 1. */
export function countRequests(clauses: readonly Clause[]): number {
  let requests = 0;
  for (const clause of clauses) if (clause.isRequest) requests++;
  return Math.max(1, requests);
}

/** A clause that the caller has split off. */
export function givenClause(text: string): Clause {
  const all = wordsWithGaps(text.slice(0, SEARCHED_QUERY_CHARACTERS));
  return { text, isRequest: isRequest(all, skipLeadWords(all, 0, all.length), all.length) };
}

/** The clauses of {@link splitClauses}, each with what it is. */
export function clausesOf(query: string): readonly Clause[] {
  const text = query.slice(0, SEARCHED_QUERY_CHARACTERS);
  const all = wordsWithGaps(text);
  const clauses: Clause[] = [];
  let first = 0;
  for (let position = 1; position <= all.length && clauses.length < MOST_CLAUSES; position++) {
    const next = position < all.length ? clauseStart(all, first, position) : position;
    if (next === undefined) continue;
    const begin = skipLeadWords(all, first, position);
    if (position - begin >= FEWEST_WORDS_ALONE || SPACELESS.test(all[begin]?.text ?? "")) {
      const clause = text.slice(all[begin]?.start, all[position - 1]?.end);
      clauses.push({ text: clause, isRequest: isRequest(all, begin, position) });
    }
    first = next;
    position = next;
  }
  return clauses.length > 0 ? clauses : [{ text: text.trim(), isRequest: isRequest(all, 0, all.length) }];
}

function wordsWithGaps(text: string): Word[] {
  const all: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const between = text.slice(end, start);
    const previous = all.at(-1)?.text ?? "";
    all.push({
      text: match[0].toLowerCase().replace("’", "'"),
      start,
      end: start + match[0].length,
      gap: gapOf(between, previous),
    });
    end = start + match[0].length;
  }
  return all;
}

function gapOf(between: string, previous: string): Word["gap"] {
  if (between === " ") return "space";
  if (SENTENCE_END.test(between) && !(between.startsWith(".") && isAbbreviation(previous))) return "sentence";
  return between.includes(",") || between.includes(":") ? "comma" : "space";
}

const isAbbreviation = (word: string): boolean => abbreviations.has(word) || (word.length === 1 && word >= "a");

/**
 * If a clause ends before the word at `position`, the word at which the next one begins (after connecting words).
 *
 * @param first Where the present clause began.
 */
function clauseStart(all: readonly Word[], first: number, position: number): number | undefined {
  const word = all[position];
  if (word === undefined) return undefined;
  if (word.gap === "sentence") return position;
  const connector = connectorLength(all, position);
  if (word.gap !== "comma" && connector === 0) return undefined;
  if (position - first < FEWEST_WORDS) return undefined;
  const after = position + connector;
  const begin = skipLeadWords(all, after, all.length);
  if (joinedWords(all, begin) < FEWEST_WORDS) return undefined;
  const strong = connector > 0 && !isPlainAnd(all, position, connector);
  const verb = all[begin]?.text ?? "";
  if (strong || requestVerbs.has(verb) || hasRequestPhrase(all, begin, begin + PHRASE_REACH)) return after;
  return undefined;
}

/** Number of words at `position` that connect two clauses: "and", "and then", "as well as", "after that", "followed by". */
function connectorLength(all: readonly Word[], position: number): number {
  const at = (offset: number): string => all[position + offset]?.text ?? "";
  if (at(0) === "as" && at(1) === "well" && at(2) === "as") return 3;
  if ((at(0) === "after" && at(1) === "that") || (at(0) === "followed" && at(1) === "by")) return 2;
  if (at(0) === "and" || (at(0) === "or" && all[position]?.gap === "comma")) {
    return strongConnectors.has(at(1)) ? 2 : 1;
  }
  return at(0) === "then" ? 1 : 0;
}

const isPlainAnd = (all: readonly Word[], position: number, connector: number): boolean =>
  connector === 1 && all[position]?.text !== "then";

function skipLeadWords(all: readonly Word[], position: number, end: number): number {
  const last = Math.min(end, position + MOST_LEAD_WORDS);
  let next = position;
  while (next < last && leadWords.has(all[next]?.text ?? "")) next++;
  return next;
}

/** Words from `position` up to the next place where a clause could end, counted no further than needed. */
function joinedWords(all: readonly Word[], position: number): number {
  let count = 1;
  while (count < FEWEST_WORDS) {
    const next = all[position + count];
    if (next === undefined || next.gap !== "space" || next.text === "and")
      return position + count > all.length ? 0 : count;
    count++;
  }
  return count;
}

function isRequest(all: readonly Word[], begin: number, end: number): boolean {
  const first = all[begin]?.text ?? "";
  const second = begin + 1 < end ? (all[begin + 1]?.text ?? "") : "";
  if (requestVerbs.has(first) || (stopWords.has(first) && requestVerbs.has(second))) return true;
  return hasRequestPhrase(all, begin, end);
}

function hasRequestPhrase(all: readonly Word[], begin: number, end: number): boolean {
  if (questionWords.has(all[begin]?.text ?? "")) return true;
  for (let position = begin; position < end && position < all.length; position++) {
    for (const phrase of phrasesByFirstWord.get(all[position]?.text ?? "") ?? []) {
      if (phrase.every((word, offset) => all[position + offset]?.text === word)) return true;
    }
  }
  return false;
}

const phrasesByFirstWord = new Map<string, (readonly string[])[]>();
for (const phrase of requestPhrases) {
  const first = phrase[0] ?? "";
  phrasesByFirstWord.set(first, [...(phrasesByFirstWord.get(first) ?? []), phrase]);
}
