import { SetwiseError } from "@setwise/core";
import type { PipelineAnswer } from "./measure.ts";

/**
 * Refuses what is no answer: pipelines are the caller's own functions, often in plain JavaScript.
 *
 * @throws SetwiseError `invalid-argument` with the query and what is wrong.
 */
export function checkAnswer(answer: PipelineAnswer, queryId: string): void {
  const problem = problemOf(answer);
  if (problem === undefined) return;
  throw new SetwiseError(
    "invalid-argument",
    `The pipeline's answer to query "${queryId.slice(0, 100)}" is not one: ${problem}. Expected { ranking: [ids], selected: [ids], tokens: { before, after } }.`,
  );
}

function problemOf(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null) return `it is ${given === null ? "null" : typeof given}`;
  const { ranking, selected, tokens, probabilities, called } = given as Partial<Record<keyof PipelineAnswer, unknown>>;
  if (!isIds(ranking)) return "ranking is not a list of tool ids";
  if (!isIds(selected)) return "selected is not a list of tool ids";
  const { before, after } = (tokens ?? {}) as { readonly before?: unknown; readonly after?: unknown };
  if (!Number.isFinite(before) || !Number.isFinite(after))
    return "tokens.before or tokens.after is not a finite number";
  if (called !== undefined && !isIds(called)) return "called is not a list of tool ids";
  if (probabilities === undefined) return undefined;
  if (!(probabilities instanceof Map)) return "probabilities is not a Map from tool ids to numbers";
  for (const [id, value] of probabilities as Map<unknown, unknown>)
    if (!(typeof value === "number" && value >= 0 && value <= 1))
      return `the probability of "${String(id).slice(0, 100)}" is ${String(value)}, not a number in 0..1`;
  return undefined;
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => typeof id === "string");
}
