import type { Tool } from "@setwise/core";
import { wordsOf } from "./port-words.ts";
import { toolDeed } from "./tool-deeds.ts";

/** What is done with a result at last. */
const TELLING: ReadonlySet<string> = new Set(
  "notify notification remind reminder email mail sms message alert alarm report".split(" "),
);
/** What makes something of values that are there already. */
const MAKING: ReadonlySet<string> = new Set(
  "calculate compute convert translate analyze analysis evaluate compare summarize generate estimate predict extract detail".split(
    " ",
  ),
);
const SEARCHING: ReadonlySet<string> = new Set("search find list query lookup".split(" "));

/**
 * When in a task a tool is usually called: 0 signing in, searching and looking things up, 1 reading a known thing and working with it, 2
 * creating and changing, 3 telling somebody.
 */
export function callStage(tool: Tool): number {
  const named = wordsOf(tool.name);
  const deed = toolDeed(tool);
  if (deed === "signs-in") return 0;
  if (deed !== "reads" && named.some((word) => TELLING.has(word))) return 3;
  if (deed === "creates" || deed === "changes") return 2;
  if (named.some((word) => SEARCHING.has(word))) return 0;
  return deed === "unknown" || (named[0] === "get" && tool.name.includes("{")) || named.some((word) => MAKING.has(word))
    ? 1
    : 0;
}
