import type { JsonSchema, Tool } from "@setwise/core";

/** A tool for a test: arguments by name, a `?` before those that are optional. */
export function tool(
  id: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>> = {},
  rest: Partial<Omit<Tool, "inputSchema">> & {
    readonly required?: readonly string[];
    readonly inputSchema?: JsonSchema;
  } = {},
): Tool {
  const { required = Object.keys(properties), inputSchema, ...others } = rest;
  const made: Tool = {
    id,
    name: id,
    description,
    inputSchema: inputSchema ?? { type: "object", properties, required },
    original: { id },
    ...others,
  };
  return made;
}

export const text: JsonSchema = { type: "string" };
export const number: JsonSchema = { type: "number" };
