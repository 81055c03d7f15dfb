import type { Tool } from "@setwise/core";
import { isOpaque } from "./opaque-names.ts";
import { wordsOf } from "./port-words.ts";
import { deedOf, toolDeed } from "./tool-deeds.ts";

/** Of a description so many characters are read. */
const LONGEST_DESCRIPTION = 1_000;
const MOST_IDS = 8;
/** Behind these stands what one asks with. */
const ASKED_WITH: ReadonlySet<string> = new Set(["by", "from", "for", "using", "with", "of"]);
/** "including their orders", "including all open issues": one to three words, the last one a plural. */
const INCLUDED =
  /\bincluding\s+(?:(?:all|any|the|its|their|his|her|your)\s+){0,2}((?:\p{L}{2,30}\s){0,2}?\p{L}{2,30}[^s\W]s)(?=[.,;:)]|\s(?:and|or|in|for|with|that|which)\b|$)/giu;

/**
 * Ids that a tool which only reads says it gives, by its name (`find_user_id_by_email`: `user_id`) and its description ("the details of a user,
 * including their orders": `order_id`). For tools without a schema of their result, as most tools of MCP servers are.
 */
export function toldIds(tool: Tool): readonly string[] {
  if (toolDeed(tool) !== "reads") return [];
  const named = wordsOf(tool.name);
  const end = named.findIndex((word, place) => place > 0 && ASKED_WITH.has(word));
  const object = named.slice(0, end < 0 ? undefined : end).filter((word) => deedOf(word) === undefined);
  const ids = object.length > 1 && isId(object) ? [object.join("_")] : [];
  for (const [, phrase = ""] of tool.description.slice(0, LONGEST_DESCRIPTION).matchAll(INCLUDED)) {
    ids.push([...wordsOf(phrase), "id"].join("_"));
  }
  return [...new Set(ids)].slice(0, MOST_IDS);
}

function isId(words: readonly string[]): boolean {
  return isOpaque({ path: [words.join("_")], format: undefined, type: undefined });
}
