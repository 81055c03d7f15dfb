import type { SelectedTool, Selection, Tool } from "@setwise/core";
import type { ToolIndex } from "@setwise/retriever";
import type { Choices } from "./choose-tools.ts";
import { explainSelection } from "./explain-selection.ts";
import { missingWords } from "./missing-words.ts";

/** The answer: ordinals become the caller's own objects again. */
export function writeSelection(
  index: ToolIndex,
  hosted: readonly unknown[],
  query: string,
  choices: Choices,
): Selection {
  const { catalog } = index;
  const { retrieval, chosen, cut } = choices;
  const toolAt = (ordinal: number): Tool => catalog.tools[ordinal] as Tool;
  return Object.freeze({
    query,
    status: chosen.length > 0 ? "selected" : "nothing-fits",
    tools: Object.freeze([...chosen.map((choice) => toolAt(choice.ordinal).original), ...hosted]),
    chosen: Object.freeze(
      chosen.map((choice): SelectedTool => {
        const { id, name } = toolAt(choice.ordinal);
        return { id, name, score: choice.score, role: choice.role };
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
    missing: chosen.length > 0 ? [] : missingWords(index, query),
    get probabilities() {
      return new Map(Array.from(cut.inclusion, (value, place) => [toolAt(retrieval.ids[place] ?? 0).id, value]));
    },
    get explanation() {
      return explainSelection(index, query, choices);
    },
  } satisfies Selection);
}
