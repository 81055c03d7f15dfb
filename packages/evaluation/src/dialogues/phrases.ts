import type { Tool } from "@setwise/core";
import type { Pending } from "./plan-turn.ts";
import { words } from "./tool-scenes.ts";

/** What a tool does, as a person would ask for it; longer than this nobody says. */
const MOST_WORDS = 14;
const PREAMBLE =
  /^(?:this (?:tool|endpoint|api|function|method)|use this(?: tool)?(?: to)?|tool (?:to|for)|allows (?:you )?to|used to|a tool (?:to|that))\s+/i;

/** The beginning of the description as a request, "create a file"; the words of the name where there is no description. */
export function phraseOf(tool: Tool): string {
  const clause = (/^[^.;:\n([{<]+/.exec(tool.description.replace(/[*_`#"\p{Cc}]+/gu, " ").trim())?.[0] ?? "")
    .replace(PREAMBLE, "")
    .trim()
    .split(/\s+/)
    .slice(0, MOST_WORDS);
  const said = clause.length < 2 ? words(tool.name) : clause;
  return [imperative(said[0] ?? ""), ...said.slice(1)].join(" ").replace(/[\s,]+$/, "");
}

/** "Creates" as "create". */
function imperative(verb: string): string {
  const lower = verb.toLowerCase();
  if (/(?:ch|sh|ss|x|zz)es$/.test(lower)) return lower.slice(0, -2);
  return /[^s]s$/.test(lower) && lower.length > 3 ? lower.slice(0, -1) : lower;
}

/** The atomic task by itself, with nothing left to the context; what the user keeps back is not in it. */
export function taskText({ tool, intent, slot }: Pending): string {
  const detail = slot === undefined || !slot.said ? "" : `, ${words(slot.name).join(" ")} ${slot.value}`;
  const phrase = phraseOf(tool) + detail;
  if (intent === "modify") return `change it: ${phrase}`;
  if (intent === "cancel") return `do not ${phrase}`;
  if (intent === "check") return `see how far it is: ${phrase}`;
  return phrase;
}
