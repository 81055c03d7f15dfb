import { clausesOf, type Decomposer, type SubTask } from "@setwise/core";
import { partsOf, type RequestClause } from "./request-clauses.ts";
import { resolveReferences } from "./resolve-references.ts";
import { splitItems } from "./split-items.ts";

/** One turn of a conversation, oldest first. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** A sub-task of {@link decompose}: its goal in two parts. */
export interface SplitTask extends SubTask {
  /** What is asked for, as it stands in the turn. */
  readonly clause: string;
  /** What it leans on; empty where it can be understood alone. */
  readonly context: string;
}

/** So much of one turn is read; a pasted document is no request. */
const MOST_CHARACTERS = 20_000;
/** Earlier turns than these are not asked what a pronoun stands for. */
const MOST_TURNS = 6;
/** Each sub-task costs a search; nobody asks for more in one breath. */
export const MOST_SUB_TASKS = 12;

/**
 * The sub-tasks of the last user turn, in order, without tools yet: items of lists, sentences, and coordinated clauses that ask
 * for something. What leans on something said before ("cancel that", "and in Paris?") carries it along in parentheses, so that each
 * goal can be understood, and searched for, by itself. Deterministic, in linear time; verbs of request are known in English, for other
 * languages ends of sentences (by `Intl.Segmenter`), lists and connecting words.
 *
 * A turn without any words gives no sub-task.
 */
export function decompose(turns: readonly Turn[]): readonly SplitTask[] {
  const last = turns.findLastIndex((turn) => turn.role === "user");
  const text = turns[last]?.text ?? "";
  const before = turns.slice(Math.max(0, last - MOST_TURNS), Math.max(0, last));
  const earlier = before.filter((turn) => turn.role === "user").flatMap((turn) => requestClauses(turn.text));
  const question = before.at(-1)?.role === "assistant" ? lastQuestion(before.at(-1)?.text ?? "") : "";
  const answer = question === "" ? undefined : ONE_WORD.exec(text.slice(0, MOST_CHARACTERS))?.[1];
  const request = requestClauses(text);
  // `clausesOf` drops a sentence of one word, which is "Thanks!" more often than an answer.
  const whole = answer === undefined ? request : [{ text: answer, asks: "perhaps" as const }, ...request];
  return resolveReferences(whole, { earlier, question })
    .slice(0, MOST_SUB_TASKS)
    .map(({ clause, context }) => ({
      goal: context === "" ? clause : `${clause} (${context})`,
      tools: [],
      clause,
      context,
    }));
}

/** A sentence of one word, with something after it. */
const ONE_WORD = /^\s*([\p{L}\p{N}][^\s.!?,;]*)[.!,;]\s+\S/u;

/** The last sentence if it ends with a question mark, else nothing. */
function lastQuestion(text: string): string {
  const end = text.slice(-MOST_CHARACTERS).trimEnd();
  if (!/[?？؟]$/u.test(end)) return "";
  return clausesOf(end).at(-1)?.text ?? "";
}

/** {@link decompose} as core's port. */
export const clauseDecomposer: Decomposer = {
  name: "clauses",
  decompose: async (turns) => decompose(turns),
};

/** The parts of a text, in order, each with words: what asks for something and what tells something. */
export function requestClauses(text: string): readonly RequestClause[] {
  return splitItems(text.slice(0, MOST_CHARACTERS)).flatMap(partsOf);
}
