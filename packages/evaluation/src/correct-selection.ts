import {
  answerInTime,
  type Catalog,
  type LabelledQuery,
  type LanguageModel,
  MODEL_TIMEOUT_MS,
  type Tool,
} from "@setwise/core";

/** Says which of the tools on offer it would call for a query; ids in any order, none when none fits. */
export type ToolChooser = (
  query: LabelledQuery,
  offered: readonly string[],
) => readonly string[] | Promise<readonly string[]>;

export interface ModelChooserOptions {
  /** Longest wait for one answer, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Of a long description a model needs the beginning to choose by. */
const SHOWN_CHARACTERS = 500;
/** A list of ids is short; what a model writes beyond this is not read. */
const READ_CHARACTERS = 20_000;

/**
 * Correct selection of one query, after ToolScope's CSR@k: 1 when the model, handed the first k tools (here: the selected ones),
 * picks exactly the right ones, else 0. The mean over queries is the rate.
 */
export function correctSelection(called: readonly string[], gold: readonly string[]): number {
  const picked = new Set(called);
  const wanted = new Set(gold);
  return Number(picked.size === wanted.size && [...wanted].every((id) => picked.has(id)));
}

/**
 * A chooser that asks a language model, in words: the tools by number, the request, and an answer as a JSON list of numbers.
 * An answer that holds no such list, or names tools that were not on offer, picks what can be read of it: a wrong model is measured, not an error.
 *
 * The chooser throws SetwiseError `timeout` when the model does not answer in time, and whatever the model throws.
 */
export function modelChooser(model: LanguageModel, catalog: Catalog, options: ModelChooserOptions = {}): ToolChooser {
  const { timeoutMs = MODEL_TIMEOUT_MS } = options;
  return async ({ query }, offered) => {
    const ids = [...new Set(offered)];
    if (ids.length === 0) return [];
    const tools = ids.map((id) => catalog.tools[catalog.ordinalOf(id) ?? -1]);
    const text = await answerInTime(model, choicePrompt(query, tools, ids), timeoutMs);
    return numbersIn(text).flatMap((number) => ids[number - 1] ?? []);
  };
}

function choicePrompt(query: string, tools: readonly (Tool | undefined)[], ids: readonly string[]): string {
  const list = tools.map((tool, index) => {
    const description = (tool?.description ?? "").slice(0, SHOWN_CHARACTERS).replace(/\s+/g, " ");
    return `${index + 1}. ${tool?.name ?? ids[index]}: ${description}`;
  });
  return [
    "Which of these tools must be called to serve the request? Choose every tool that is needed and none that is not.",
    "",
    ...list,
    "",
    `Request: ${query}`,
    "",
    "Answer with a JSON list of tool numbers and nothing else, such as [2, 3]; [] if no tool fits.",
  ].join("\n");
}

/** The distinct whole numbers of the last list in square brackets: models like to think aloud before they answer. */
function numbersIn(text: string): readonly number[] {
  const lists = String(text)
    .slice(-READ_CHARACTERS)
    .match(/\[[\d,\s"]*\]/g);
  const numbers = (lists?.at(-1) ?? "").match(/\d{1,6}/g) ?? [];
  return [...new Set(numbers.map(Number))];
}
