import { type JsonSchema, schemaFields, SEARCHED_DESCRIPTION_CHARACTERS, type Tool } from "@setwise/core";

/** What is searched of a tool, in the order of every per-field array. */
export const fields = ["name", "description", "parameters", "returns", "server"] as const;
export type Field = (typeof fields)[number];
export const FIELD_COUNT: number = fields.length;

/** Only the beginning of a long text is searched: what comes later says little of the tool and drowns its other words. */
const SEARCHED_PARAMETER_CHARACTERS = 16_000;
const SEARCHED_RETURN_CHARACTERS = 4_000;
export const SEARCHED_NAME_CHARACTERS = 1_000;

/** The searched text of each field, in the order of {@link fields}. */
export function fieldTexts(tool: Tool): readonly string[] {
  const title = tool.annotations?.title ?? "";
  return [
    tool.name.slice(0, SEARCHED_NAME_CHARACTERS),
    (title === "" ? tool.description : `${title}\n${tool.description}`).slice(0, SEARCHED_DESCRIPTION_CHARACTERS),
    argumentText(tool.inputSchema, SEARCHED_PARAMETER_CHARACTERS),
    tool.outputSchema === undefined ? "" : argumentText(tool.outputSchema, SEARCHED_RETURN_CHARACTERS),
    (tool.server ?? "").slice(0, SEARCHED_NAME_CHARACTERS),
  ];
}

/** Names and descriptions of a schema's properties, nested ones after the others. */
function argumentText(schema: JsonSchema, most: number): string {
  let text = "";
  for (const { name, description } of schemaFields(schema).fields) {
    text += `${name} ${description}\n`;
    if (text.length >= most) break;
  }
  return text.slice(0, most);
}
