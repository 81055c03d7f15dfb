import { stopWords } from "@setwise/core";
import type { RequestClause } from "./request-clauses.ts";

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

/** A goal, and what it leans on. */
export interface ResolvedGoal {
  readonly clause: string;
  readonly context: string;
}

/**
 * The goals of a turn: each clause that asks for something, with what it leans on. A short clause that asks for nothing ("Beijing.") after
 * a question of the assistant is the answer to it and repeats the earlier request that the question is about; other clauses that ask for
 * nothing are goals only where nothing else is, and what is forbidden never.
 */
export function resolveReferences(
  request: readonly RequestClause[],
  { earlier, question }: Context,
): readonly ResolvedGoal[] {
  const asked = earlier.filter((clause) => clause.asks === "yes");
  const requests = (asked.length > 0 ? asked : earlier).map((clause) => clause.text);
  const goals: ResolvedGoal[] = [];
  const statements: ResolvedGoal[] = [];
  let previous = requests.at(-1);
  for (const [place, { text, asks }] of request.entries()) {
    if (asks === "forbids") continue;
    if (place === 0 && requests.length > 0 && isElliptic(text, asks, question)) {
      const context = text.replace(/^(?:and|also|or|but)\s+/iu, "").replace(/(?<![\s.!?;。！？])[\s.!?;。！？]+$/u, "");
      goals.push({ clause: mostAlike(requests, question), context });
    } else if (asks !== "no") {
      goals.push({ clause: text, context: leans(text) ? (previous ?? "").slice(0, LONGEST_CONTEXT) : "" });
    } else {
      statements.push({ clause: text, context: "" });
      continue;
    }
    // What is carried along stays the thing itself, not a chain of what it leaned on.
    if (!leans(text)) previous = text;
  }
  return goals.length > 0 ? goals : statements;
}

function isElliptic(text: string, asks: RequestClause["asks"], question: string): boolean {
  const words = text.trim().split(/\s+/).length;
  if (words > MOST_WORDS_FRAGMENT) return false;
  return ELLIPSIS.test(text) || (asks !== "yes" && question !== "");
}

function leans(text: string): boolean {
  if (text.split(/\s+/).length > MOST_WORDS_LEANING) return false;
  return PRONOUN.test(text.replace(NO_PRONOUN, " "));
}

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
