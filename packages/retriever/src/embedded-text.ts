import { SEARCHED_DESCRIPTION_CHARACTERS, schemaFields, type Tool } from "@setwise/core";
import { SEARCHED_NAME_CHARACTERS } from "./tool-fields.ts";

const SEARCHED_PARAMETERS = 200;

/** What of a tool is given to an encoder: its name as words, its description, the names of its arguments. */
export function embeddedText(tool: Tool): string {
  const name = asWords(tool.name.slice(0, SEARCHED_NAME_CHARACTERS));
  const description = tool.description.slice(0, SEARCHED_DESCRIPTION_CHARACTERS);
  const parameters = schemaFields(tool.inputSchema)
    .fields.slice(0, SEARCHED_PARAMETERS)
    .map((field) => asWords(field.name.slice(0, SEARCHED_NAME_CHARACTERS)));
  return `${name}. ${description} ${parameters.join(" ")}`.trim();
}

/** An identifier as a person would write it: `getHTTPHeaders_v2` is "get HTTP Headers v2". */
function asWords(identifier: string): string {
  return identifier
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .replace(/[_\-./:]+/g, " ")
    .trim();
}
