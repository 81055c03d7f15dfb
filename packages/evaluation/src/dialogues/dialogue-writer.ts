import { answerInTime, type LanguageModel, MODEL_TIMEOUT_MS } from "@setwise/core";
import { speechProblems } from "./speech-problems.ts";
import type { PlannedTurn } from "./plan-turn.ts";
import { assistantPrompt, userPrompt } from "./prompts.ts";
import { templateAssistant, templateUser } from "./templates.ts";

/** What was said before, oldest first. */
export type History = readonly { readonly role: "user" | "assistant"; readonly content: string }[];

/** Puts a planned turn into words: the two channels of MagicSelector, section 3.1.3. */
export interface DialogueWriter {
  readonly name: string;
  /** `random` is the dialogue's own sequence; use no other. */
  write(
    turn: PlannedTurn,
    history: History,
    random: () => number,
  ): Promise<{ readonly user: string; readonly assistant: string; readonly writer: string }>;
}

/** Sentences from templates: no model, the same words for the same seed. They keep the words of the descriptions, which flatters search by words. */
export const templateWriter: DialogueWriter = {
  name: "templates",
  write: async (turn, _history, random) => ({
    user: templateUser(turn, random),
    assistant: templateAssistant(turn),
    writer: "templates",
  }),
};

export interface ModelWriterOptions {
  /** Longest wait for one answer, in milliseconds. */
  readonly timeoutMs?: number;
  /** How often a text that breaks a rule is asked for again before the templates write the turn; 2 by default. */
  readonly attempts?: number;
}

/** Most models keep to the rules at the first or second try. */
const ATTEMPTS = 2;

/** Texts by a language model. A turn that it does not write by the rules, or not at all, is written by the templates and says so. */
export function modelWriter(model: LanguageModel, options: ModelWriterOptions = {}): DialogueWriter {
  const { timeoutMs = MODEL_TIMEOUT_MS, attempts = ATTEMPTS } = options;
  const ask = async (prompt: string): Promise<string | undefined> => {
    try {
      return String(await answerInTime(model, prompt, timeoutMs)).trim();
    } catch {
      return undefined;
    }
  };
  return {
    name: model.name,
    write: async (turn, history, random) => {
      // Drawn whether needed or not, so that the rest of the dialogue does not hang on the model.
      const fallback = await templateWriter.write(turn, history, random);
      for (let attempt = 0; attempt < attempts; attempt++) {
        const user = await ask(userPrompt(turn, history));
        if (user === undefined) continue;
        const silent = turn.tasks.every(({ state }) => state === "silent");
        const assistant = silent ? "" : await ask(assistantPrompt(turn, [...history, { role: "user", content: user }]));
        if (assistant === undefined) continue;
        if (speechProblems(turn, { user, assistant }).length === 0) return { user, assistant, writer: model.name };
      }
      return fallback;
    },
  };
}
