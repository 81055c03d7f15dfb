import { phraseOf } from "./phrases.ts";
import type { Pending, PlannedTurn } from "./plan-turn.ts";
import { words } from "./tool-scenes.ts";

const OPENERS: readonly string[] = ["Please", "Could you please", "I need you to", "Would you"];
const CONNECTORS: readonly string[] = ["Oh, and", "By the way,", "Also,", "And while you are at it,"];

/** The user's side: one sentence a task, in their order; what the context says already is left out. */
export function templateUser({ tasks }: PlannedTurn, random: () => number): string {
  return tasks
    .map((task, index) => {
      const sentence = userSentence(task, choose(OPENERS, random));
      const connector = index === 0 ? "" : `${choose(CONNECTORS, random)} `;
      return connector === "" ? sentence : connector + inside(sentence);
    })
    .join(" ");
}

function userSentence({ tool, intent, slot }: Pending, opener: string): string {
  const phrase = phraseOf(tool);
  const detail = slot === undefined || !slot.said ? "" : `, ${words(slot.name).join(" ")} ${slot.value}`;
  switch (intent) {
    case "again":
      return `Once more, ${phrase}${detail}.`;
    case "repeat":
      return `You forgot something: ${phrase}${detail}.`;
    case "resume":
      return `Now go on and ${phrase}${detail}.`;
    case "answer":
      return `It is ${slot?.value ?? "as before"}.`;
    case "choose":
      return "The second one.";
    case "accept":
      return "Yes, do it.";
    case "retry":
      return `Try again to ${phrase}.`;
    case "check":
      return `How far are you with this: ${phrase}?`;
    case "modify":
      return `No, change that to${detail === "" ? " something else" : detail.slice(1)}.`;
    case "cancel":
      return "Forget about that one.";
    default:
      return `${opener} ${phrase}${detail}.`;
  }
}

/** A sentence that follows a connector. */
function inside(sentence: string): string {
  return sentence.startsWith("I ") ? sentence : sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

/** The assistant's side: one sentence a task, by its state alone; of a silent one not a word. */
export function templateAssistant({ tasks }: PlannedTurn): string {
  return tasks.flatMap((task) => assistantSentence(task) ?? []).join(" ");
}

function assistantSentence({ tool, state, slot }: Pending): string | undefined {
  const phrase = phraseOf(tool);
  switch (state) {
    case "failure":
      return `Sorry, it was not possible to ${phrase}.`;
    case "executing":
      return `I am still at it: ${phrase}.`;
    case "ask-detail":
      return `To ${phrase}, I have to know this: ${words(slot?.name ?? "").join(" ")}?`;
    case "select":
      return `There are several ways to ${phrase}. Which one?`;
    case "confirm":
      return `Shall I really ${phrase}?`;
    case "modified":
      return `Changed: ${phrase}.`;
    case "cancelled":
      return `All right, I will not ${phrase}.`;
    case "deferred":
      return `I will ${phrase} later; tell me when.`;
    case "silent":
    case "null":
      return undefined;
    default:
      return `Done: ${phrase}.`;
  }
}

function choose(texts: readonly string[], random: () => number): string {
  return texts[Math.floor(random() * texts.length)] ?? "";
}
