import { idOf, type JsonObject, objectOf, objectsOf, textOf } from "./json-shape.ts";
import { offeredTools } from "./offered-tools.ts";
import type { LoggedRequest } from "./request.ts";

/*
 * The Berkeley Function Calling Leaderboard's own files (github.com/ShishirPatil/gorilla, bfcl_eval/data): questions as
 * `{ id, question: [[{ role, content }]], function: [{ name }] }`, and the right calls in `possible_answer/` under the same file name as
 * `{ id, ground_truth: [{ NAME: { … } }] }`, or for several turns `[["NAME(…)"], …]`. All user turns of a question are one query.
 */

/** Names of the right functions by the id of the question. */
export type BfclAnswers = Map<string, readonly string[]>;

/** The right functions of a line of `possible_answer/`; `undefined` for anything else. */
export function bfclAnswer(record: unknown): { readonly id: string; readonly called: readonly string[] } | undefined {
  const { id, ground_truth: truth } = objectOf(record) ?? {};
  const key = idOf(id);
  if (key === undefined || !Array.isArray(truth)) return undefined;
  return { id: key, called: truth.flat().flatMap(calledIn) };
}

function calledIn(call: unknown): readonly string[] {
  const written = textOf(call);
  if (written !== undefined) return [written.split("(", 1)[0] ?? ""].filter((name) => name !== "");
  return Object.keys(objectOf(call) ?? {});
}

/**
 * A question with its answer. Questions of an irrelevance category have none: no offered function fits. `undefined` for what is no
 * question; a question without an answer has `answered: false`.
 */
export function bfclRequests(record: unknown, answers: BfclAnswers): readonly LoggedRequest[] | undefined {
  const { id, question, function: functions } = objectOf(record) ?? {};
  const key = idOf(id);
  if (key === undefined || !Array.isArray(question)) return undefined;
  const irrelevant = key.includes("irrelevance");
  const called = irrelevant ? [] : answers.get(key);
  const offered = offeredTools(functions);
  return [
    {
      id: key,
      query: userWords(question),
      called: called ?? [],
      ...(offered === undefined ? {} : { offered }),
      subset: key.replace(/_\d[\d-]*$/, ""),
      answered: called !== undefined,
      labelled: true,
    },
  ];
}

function userWords(turns: readonly unknown[]): string {
  return objectsOf(turns.flat())
    .filter(({ role }: JsonObject) => role === "user")
    .flatMap(({ content }) => textOf(content) ?? [])
    .join("\n");
}
