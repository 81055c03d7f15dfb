import { schemaFields, type Tool } from "@setwise/core";
import { isOpaque } from "./opaque-names.ts";
import { wordsOf } from "./port-words.ts";
import { deedOf, toolDeed } from "./tool-deeds.ts";

/** An id, as `order_id`, and what tells of it. */
export interface ToldId {
  readonly name: string;
  readonly by: "name" | "included";
}

/** Of a description so many characters are read. */
const LONGEST_DESCRIPTION = 1_000;
const MOST_IDS = 8;
/** Behind these stands what one asks with. */
const ASKED_WITH: ReadonlySet<string> = new Set(["by", "from", "for", "using", "with", "without", "given", "of"]);
/** These say something of the id that they are given. */
const CHECKING: ReadonlySet<string> = new Set(["validate", "verify", "check", "decode", "inspect", "test"]);
/** "including their orders", "including all open issues": one to three words, the last one with an s. */
const INCLUDED =
  /(?<!\b(?:not|without|never|than)\s)\bincluding\s+(?:(?:all|any|the|its|their|his|her|your)\s+){0,2}((?:[a-z]{2,30}\s){0,2}?[a-z]{2,30}s)(?=[.,;:)]|\s(?:and|or|in|for|with|that|which)\b|$)/giu;
/** Words that only look like plurals. */
const SINGULAR: ReadonlySet<string> = new Set(["news", "series", "species", "means", "headquarters", "lens"]);

/**
 * Ids that a tool which only reads says it gives, by its name (`find_user_id_by_email`: `user_id`) and its description ("the details of a user,
 * including their orders": `order_id`), without those that it takes. For tools without a schema of their result, as most tools of MCP servers are.
 */
export function toldIds(tool: Tool): readonly ToldId[] {
  if (toolDeed(tool) !== "reads") return [];
  const ids: ToldId[] = [...idOfName(tool.name)].map((name) => ({ name, by: "name" }));
  for (const [, phrase = ""] of tool.description.slice(0, LONGEST_DESCRIPTION).matchAll(INCLUDED)) {
    const last = phrase.toLowerCase().split(/\s/).at(-1) ?? "";
    // What stays as it is has no singular: "status", "address".
    if (SINGULAR.has(last) || wordsOf(last).at(-1) === last || /\b(?:of|and|or|its?|their)\b/iu.test(phrase)) continue;
    ids.push({ name: [...wordsOf(phrase), "id"].join("_"), by: "included" });
  }
  const taken = new Set(schemaFields(tool.inputSchema).fields.map(({ name }) => wordsOf(name).join("_")));
  return ids
    .filter(({ name }, place) => !taken.has(name) && ids.findIndex((id) => id.name === name) === place)
    .slice(0, MOST_IDS);
}

function idOfName(name: string): readonly string[] {
  const named = wordsOf(name);
  if (named.some((word) => CHECKING.has(word))) return [];
  const end = named.findIndex((word, place) => place > 0 && ASKED_WITH.has(word));
  const object = named.slice(0, end < 0 ? undefined : end).filter((word) => deedOf(word) === undefined);
  const id = object.join("_");
  return object.length > 1 && isOpaque({ path: [id], format: undefined, type: undefined }) ? [id] : [];
}
