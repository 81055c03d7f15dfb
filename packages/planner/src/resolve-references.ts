import { stopWords } from "@setwise/core";
import type { RequestClause } from "./decompose.ts";

/** What was said before the turn in question. */
export interface Context {
  /** What the user said before, oldest first. */
  readonly earlier: readonly RequestClause[];
  /** The question with which the assistant's last turn ended; empty where it asked none. */
  readonly question: string;
}

/** Words that stand for something said before. */
const PRONOUN =
  /\b(?:it|its|them|they|their|this|that|these|those|there|him|her|his|the same|one|ones|former|latter)\b/iu;
/** "that" and "this" before a noun, or as a conjunction, refer to nothing before: "ensure that …", "this week". */
const NO_PRONOUN =
  /\b(?:this|that|these|those) (?:is|are|was|will|week|month|year|morning|afternoon|evening|weekend|i|you|we|the|a|an|my|your)\b|\b(?:so|ensure|sure|know|think|say|says|said) that\b|\b(?:is|are|if|whether) there\b|\bthere (?:is|are|any)\b/giu;
/** "And in Paris?", "What about tomorrow?" ask the same again of something else. */
const ELLIPSIS =
  /^(?:and|also|or|but|then)?\s*(?:(?:what|how) about|and what about|same for|the same for|also for|and|in|on|for|at|with|from|to)\b/iu;
/** A clause of more words says enough by itself. */
const MOST_WORDS_LEANING = 12;
/** A clause of at most so many words that asks for nothing may be the answer to a question. */
const MOST_WORDS_FRAGMENT = 6;
/** Of what a goal leans on so much is carried along. */
const LONGEST_CONTEXT = 160;

/**
 * The goals of a turn: each clause that asks for something, with what it leans on in parentheses. A short clause that asks for nothing
 * ("Beijing.") after a question of the assistant is the answer to it and repeats the earlier request that the question is about; other
 * clauses that ask for nothing are goals only where nothing else is.
 */
export function resolveReferences(
  request: readonly RequestClause[],
  { earlier, question }: Context,
): readonly string[] {
  const asked = earlier.filter((clause) => clause.isRequest);
  const requests = (asked.length > 0 ? asked : earlier).map((clause) => clause.text);
  const goals: string[] = [];
  const statements: string[] = [];
  let previous = requests.at(-1);
  for (const [place, { text, isRequest }] of request.entries()) {
    if (place === 0 && requests.length > 0 && isElliptic(text, isRequest, question)) {
      goals.push(withContext(mostAlike(requests, question), text.replace(/^(?:and|also|or|but)\s+/iu, "")));
    } else if (isRequest) {
      goals.push(leans(text) && previous !== undefined ? withContext(text, previous) : text);
    } else {
      statements.push(text);
      continue;
    }
    // What is carried along stays the thing itself, not a chain of what it leaned on.
    if (!leans(text)) previous = text;
  }
  return goals.length > 0 ? goals : statements;
}

function isElliptic(text: string, isRequest: boolean, question: string): boolean {
  const words = text.trim().split(/\s+/).length;
  if (words > MOST_WORDS_FRAGMENT) return false;
  return ELLIPSIS.test(text) || (!isRequest && question !== "");
}

function leans(text: string): boolean {
  if (text.split(/\s+/).length > MOST_WORDS_LEANING) return false;
  return PRONOUN.test(text.replace(NO_PRONOUN, " "));
}

const withContext = (goal: string, context: string): string => `${goal} (${context.slice(0, LONGEST_CONTEXT)})`;

/** The request that shares most words with the question; the last one among equals. */
function mostAlike(requests: readonly string[], question: string): string {
  const wanted = contentWords(question);
  let best = "";
  let most = -1;
  for (const request of requests) {
    const shared = [...contentWords(request)].filter((word) => wanted.has(word)).length;
    if (shared >= most) [best, most] = [request, shared];
  }
  return best;
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word)));
}
