import { schemaFields, type Tool } from "@setwise/core";

/** What is searched of a tool, in the order of every per-field array. */
export const fields = ["name", "description", "parameters", "server"] as const;
export type Field = (typeof fields)[number];
export const FIELD_COUNT: number = fields.length;

/** Only the beginning of a long text is searched: what comes later says little of the tool and drowns its other words. */
export const SEARCHED_DESCRIPTION_CHARACTERS = 8_000;
export const SEARCHED_PARAMETER_CHARACTERS = 16_000;
export const SEARCHED_NAME_CHARACTERS = 1_000;

/** The searched text of each field, in the order of {@link fields}. */
export function fieldTexts(
  tool: Tool,
): readonly [name: string, description: string, parameters: string, server: string] {
  const title = tool.annotations?.title ?? "";
  return [
    tool.name.slice(0, SEARCHED_NAME_CHARACTERS),
    (title === "" ? tool.description : `${title}\n${tool.description}`).slice(0, SEARCHED_DESCRIPTION_CHARACTERS),
    parameterText(tool),
    (tool.server ?? "").slice(0, SEARCHED_NAME_CHARACTERS),
  ];
}

function parameterText(tool: Tool): string {
  let text = "";
  for (const { name, description } of schemaFields(tool.inputSchema).fields) {
    text += `${name} ${description}\n`;
    if (text.length >= SEARCHED_PARAMETER_CHARACTERS) break;
  }
  return text.slice(0, SEARCHED_PARAMETER_CHARACTERS);
}
