import type { History } from "./dialogue-writer.ts";
import { taskText } from "./phrases.ts";
import type { PlannedTurn } from "./plan-turn.ts";
import { words } from "./tool-scenes.ts";

/* Prompts with the four constraints of MagicSelector, section 3.1.3: one request a tool, everyday words, consistent times, nothing about what is silent. */

/** Asks for the user's next words. */
export function userPrompt(turn: PlannedTurn, history: History): string {
  const demands = turn.tasks.map((task, index) => {
    const hidden = task.slot !== undefined && !task.slot.said;
    const left = hidden ? ` (leave out the ${words(task.slot.name).join(" ")}, without saying so)` : "";
    return `${index + 1}. ${task.intent}: ${taskText(task)}${left}`;
  });
  return [
    "You are a person who talks to an assistant. Write what you say next, and nothing else.",
    ...transcript(history),
    `Make exactly these ${demands.length} demands, in this order, one for each line:`,
    ...demands,
    "Rules: speak as one does, do not copy these words or any technical term; leave out what the conversation makes clear (for an answer say only the answer, for a choice only the choice); times must fit together; no thanks, no confirmation; no list.",
  ].join("\n");
}

/** Asks for the assistant's answer. */
export function assistantPrompt(turn: PlannedTurn, history: History): string {
  const outcomes = turn.tasks
    .filter(({ state }) => state !== "silent")
    .map((task) => {
      const missing = task.state === "ask-detail" ? ` (ask for: ${words(task.slot?.name ?? "").join(" ")})` : "";
      return `- ${taskText(task)}: ${task.state}${missing}`;
    });
  return [
    "You are an assistant. Answer the last message by what became of each demand, and write nothing else.",
    ...transcript(history),
    "What became of them; of all else say not a word:",
    ...outcomes,
    "Rules: one fluent answer, no list, no name of a tool, no summary, no reassurance.",
  ].join("\n");
}

function transcript(history: History): readonly string[] {
  return history.map(({ role, content }) => `${role === "user" ? "User" : "Assistant"}: ${content}`);
}
