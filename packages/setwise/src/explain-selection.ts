import { REFUSE_BELOW } from "@setwise/adaptive-k";
import type { Explanation } from "@setwise/core";
import { explainCandidate, type ToolIndex } from "@setwise/retriever";
import { type Choice, type Choices, FEW_TOOLS } from "./choose-tools.ts";
import { missingWords } from "./missing-words.ts";
import { hasWords } from "./query-text.ts";

/** Words that a reason names; more would not be read. */
const WORDS_IN_REASON = 3;
/** Tools that are named where nothing fits. */
const NEAREST_NAMED = 3;

/** Why these tools, and why not the runner-up; the form is described at `Selection.explanation`. */
export function explainSelection(index: ToolIndex, query: string, choices: Choices): Explanation {
  const tools = choices.chosen.map((choice): Explanation => {
    const words = explainChoice(index, query, choice, choices);
    return { value: choice.score, sentence: reasonFor(choice, words, choices), children: words.children };
  });
  const runnerUp = explainRunnerUp(index, choices);
  return {
    value: choices.chosen.length,
    sentence: sentenceFor(index, query, choices),
    children: [
      ...tools,
      ...(runnerUp === undefined ? [] : [runnerUp]),
      ...(choices.answer === undefined ? [] : [choices.answer.explain()]),
    ],
  };
}

/** One sentence for a person: which words of the query stand in which fields of the tool, and before them what a re-ranker did. */
function reasonFor(choice: Choice, { children }: Explanation, { rule, answer }: Choices): string {
  const words = children.slice(0, WORDS_IN_REASON).map((child) => child.sentence);
  const rest = children.length - words.length;
  const match =
    words.length === 0 ? "no word of the query" : `${words.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
  if (choice.reason !== undefined) return `${choice.reason}; ${match}`;
  if (choice.role === "required") return `required by the caller; ${match}`;
  if (answer !== undefined && choice.score > 0) {
    return `belongs to the right set with a probability of ${percent(choice.score)}, by the log; ${match}`;
  }
  if (words.length > 0) return match;
  return rule === "few-tools"
    ? "all tools are handed over, there are few"
    : "no word of the query; fills up to the number asked for";
}

/** The words behind one choice's score; their values add up to it. */
function explainChoice(index: ToolIndex, query: string, choice: Choice, choices: Choices): Explanation {
  const { retrieval, reranking } = choices;
  const { allowed } = choices.constraints;
  const isChosenFreely = choice.role !== "required" && allowed !== undefined;
  return explainCandidate(index, query, choice.ordinal, {
    clauses: retrieval.clauses,
    ...(choices.vectors === undefined ? {} : { vectors: choices.vectors }),
    ...(isChosenFreely ? { allow: allowed } : {}),
    ...(reranking === undefined ? {} : { reranking }),
  });
}

function sentenceFor(
  index: ToolIndex,
  query: string,
  { chosen, rule, probabilityNothingFits, cut, retrieval, constraints }: Choices,
): string {
  const total = index.catalog.tools.length;
  const fits = percent(1 - probabilityNothingFits);
  switch (rule) {
    case "few-tools":
      if (chosen.length === 0) return "No tool: none is left to choose from.";
      return `${total === 1 ? "The only tool" : `All ${chosen.length} tools`}: up to ${FEW_TOOLS} are handed over whole, since nothing can then be missed.`;
    case "fixed":
      return chosen.length === constraints.k
        ? `${chosen.length} of ${total} tools, as many as were asked for.`
        : `${chosen.length} of ${total} tools: ${constraints.k} were asked for, and no more are allowed or fit the token budget.`;
    case "forced":
      return `${chosen.length} of ${total} tools, only because they were required or asked for by number: the probability that any tool fits is ${fits}.`;
    case "limit":
      return "No tool: at most 0 were asked for.";
    case "budget":
      return "No tool: none of the candidates fits the token budget.";
    case "nothing-fits":
      if (!hasWords(query)) return "No tool: the request has no words.";
      return retrieval.ids.length === 0
        ? "No tool: no tool has a word of the query."
        : `No tool: the probability that any fits is ${fits}, below ${percent(REFUSE_BELOW)}.${missingNote(index, query)}${nearestNote(index, retrieval)}`;
    case "policy":
      return `${chosen.length} of ${total} tools. ${cut.reason}`;
    case "distribution":
      return `${chosen.length} of ${total} tools: the likeliest sizes of the right set are ${likeliestSizes(cut.sizes)}${spareNote(chosen)}.`;
  }
}

function missingNote(index: ToolIndex, query: string): string {
  const missing = missingWords(index, query);
  return missing.length === 0 ? "" : ` No tool has the words ${missing.join(", ")}.`;
}

/** The nearest tools by name, so that one can ask whether one of them is meant. */
function nearestNote(index: ToolIndex, { ids }: Choices["retrieval"]): string {
  const names = Array.from(ids.subarray(0, NEAREST_NAMED), (ordinal) => index.catalog.tools[ordinal]?.id);
  return ` The nearest ${names.length === 1 ? "is" : "are"} ${names.join(", ")}.`;
}

function spareNote(chosen: Choices["chosen"]): string {
  const spare = chosen.filter((choice) => choice.role === "spare").length;
  return spare === 0 ? "" : `; ${spare} spare, because a missing tool costs more than one too many`;
}

/** The best candidate that was left out, with what is known of it. */
function explainRunnerUp(index: ToolIndex, { retrieval, chosen, cut }: Choices): Explanation | undefined {
  const inside = new Set(chosen.map((choice) => choice.ordinal));
  const position = retrieval.ids.findIndex((ordinal) => !inside.has(ordinal));
  if (position < 0) return undefined;
  const tool = index.catalog.tools[retrieval.ids[position] ?? 0];
  const inclusion = cut.inclusion[position];
  const known =
    inclusion === undefined ? "" : `; it belongs to the right set with a probability of ${percent(inclusion)}`;
  return {
    value: retrieval.scores[position] ?? 0,
    sentence: `${tool?.id} was left out as the next best${known}.`,
    children: [],
  };
}

/** The two likeliest sizes, given that something fits. */
function likeliestSizes(sizes: Float64Array): string {
  const something = 1 - (sizes[0] ?? 0);
  const ordered = [...sizes.keys()].slice(1).toSorted((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b);
  return ordered
    .slice(0, 2)
    .map((size) => `${size} (${percent((sizes[size] ?? 0) / something)})`)
    .join(" and ");
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
