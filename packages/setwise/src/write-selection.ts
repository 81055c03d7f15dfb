import type { SelectedTool, Selection, Tool } from "@setwise/core";
import type { ToolIndex } from "@setwise/retriever";
import type { Choice, Choices } from "./choose-tools.ts";
import { explainChoice, explainSelection } from "./explain-selection.ts";

/** Words that a reason names; more would not be read. */
const WORDS_IN_REASON = 3;

/** The answer: ordinals become the caller's own objects again. */
export function writeSelection(
  index: ToolIndex,
  hosted: readonly unknown[],
  query: string,
  choices: Choices,
): Selection {
  const { catalog } = index;
  const { retrieval, chosen } = choices;
  const toolAt = (ordinal: number): Tool => catalog.tools[ordinal] as Tool;
  return Object.freeze({
    query,
    status: chosen.length > 0 ? "selected" : "nothing-fits",
    tools: Object.freeze([...chosen.map((choice) => toolAt(choice.ordinal).original), ...hosted]),
    chosen: Object.freeze(
      chosen.map((choice): SelectedTool => {
        const { id, name } = toolAt(choice.ordinal);
        return {
          id,
          name,
          score: choice.score,
          role: choice.role,
          // Explaining takes longer than choosing, so it waits until somebody asks.
          get reason() {
            return reasonFor(index, query, choice, choices);
          },
        };
      }),
    ),
    candidates: Object.freeze(
      Array.from(retrieval.ids, (ordinal, position) => ({
        id: toolAt(ordinal).id,
        score: retrieval.scores[position] ?? 0,
      })),
    ),
    tokens: {
      before: catalog.tokens.reduce((sum, cost) => sum + cost, 0),
      after: chosen.reduce((sum, choice) => sum + (catalog.tokens[choice.ordinal] ?? 0), 0),
    },
    k: chosen.length,
    get explanation() {
      return explainSelection(index, query, choices, this.chosen);
    },
  } satisfies Selection);
}

/** One sentence for a person: which words of the query stand in which fields of the tool. */
function reasonFor(index: ToolIndex, query: string, choice: Choice, choices: Choices): string {
  const { children } = explainChoice(index, query, choice, choices);
  const words = children.slice(0, WORDS_IN_REASON).map((child) => child.sentence);
  const rest = children.length - words.length;
  const match =
    words.length === 0 ? "no word of the query" : `${words.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
  if (choice.role === "required") return `required by the caller; ${match}`;
  if (words.length > 0) return match;
  return choices.rule === "few-tools"
    ? "all tools are handed over, there are few"
    : "no word of the query; fills up to the number asked for";
}
