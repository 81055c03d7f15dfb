import type { ExportedTool } from "../exported-tool.ts";
import type { Driver, Entry } from "../tool-draft.ts";

/** A tool of the Messages API. */
export interface AnthropicTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: unknown;
}

/** `{ name, description, input_schema }`. */
export const anthropic: Driver = {
  format: "anthropic",
  recognises: (entry) => "name" in entry && "input_schema" in entry,
  read: (entry) => ({
    format: "anthropic",
    original: entry,
    name: entry["name"],
    description: entry["description"],
    inputSchema: entry["input_schema"],
    needsSchema: true,
  }),
};

export function writeAnthropic(tool: ExportedTool): AnthropicTool {
  const { name, description, inputSchema } = tool;
  return { name, ...(description === "" ? {} : { description }), input_schema: inputSchema };
}

export function amendAnthropic(original: Entry, tool: ExportedTool): AnthropicTool {
  return { ...original, name: tool.name, input_schema: tool.inputSchema };
}
