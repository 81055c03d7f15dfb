import type { Driver, Entry } from "../tool-draft.ts";
import { described, type ExportedTool, otherFields } from "../exported-tool.ts";

/** A tool as `tools/list` of the Model Context Protocol gives it. */
export interface McpTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** Fields an MCP tool may have; an entry with a name and nothing but these is one, though its schema is missing. */
const knownFields = new Set([
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
  "icons",
  "execution",
  "_meta",
]);

/** `{ name, description, inputSchema }`. */
export const mcp: Driver = {
  format: "mcp",
  recognises: (entry) =>
    "name" in entry && ("inputSchema" in entry || Object.keys(entry).every((key) => knownFields.has(key))),
  read: (entry) => ({
    format: "mcp",
    original: entry,
    name: entry["name"],
    description: entry["description"],
    inputSchema: entry["inputSchema"],
    outputSchema: entry["outputSchema"],
    annotations: entry["annotations"],
    title: entry["title"],
    needsSchema: true,
  }),
};

export function writeMcp(tool: ExportedTool): McpTool {
  const { name, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    ...described(tool),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

export function amendMcp(original: Entry, tool: ExportedTool): McpTool {
  return { ...otherFields(original), name: tool.name, ...described(tool), inputSchema: tool.inputSchema };
}
