import { described, type ExportedTool, otherFields } from "../exported-tool.ts";
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
  const { name, inputSchema } = tool;
  return { name, ...described(tool), input_schema: inputSchema };
}

export function amendAnthropic(original: Entry, tool: ExportedTool): AnthropicTool {
  return { ...otherFields(original), name: tool.name, ...described(tool), input_schema: tool.inputSchema };
}
