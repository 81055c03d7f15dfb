import type { ExportedTool } from "../exported-tool.ts";
import type { Driver } from "../tool-draft.ts";

/** A line of `tools.jsonl`. */
export interface JsonlTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly returns?: unknown;
  readonly category?: string;
  readonly server?: string;
}

/** `{ id, name, description, parameters?, returns?, category?, server? }`, and Setwise's own tool definitions. Its `id` is kept. */
export const jsonl: Driver = {
  format: "jsonl",
  recognises: (entry) =>
    ownId(entry) !== undefined && ("description" in entry || "parameters" in entry || "inputSchema" in entry),
  read: (entry) => ({
    format: "jsonl",
    original: entry,
    name: entry["name"],
    description: entry["description"],
    inputSchema: entry["parameters"] ?? entry["inputSchema"],
    outputSchema: entry["returns"] ?? entry["outputSchema"],
    annotations: entry["annotations"],
    server: entry["server"],
    tags: entry["tags"] ?? (typeof entry["category"] === "string" ? [entry["category"]] : undefined),
  }),
};

/** The id that an entry brings itself: only data with both an id and a name does. */
export function ownId(original: unknown): string | undefined {
  if (typeof original !== "object" || original === null) return undefined;
  const { id, name, type } = original as Record<string, unknown>;
  return typeof id === "string" && id !== "" && typeof name === "string" && type === undefined ? id : undefined;
}

export function writeJsonl(tool: ExportedTool): JsonlTool {
  const [category] = tool.tags ?? [];
  return {
    id: tool.id,
    name: tool.name,
    description: tool.description,
    parameters: tool.inputSchema,
    ...(tool.outputSchema === undefined ? {} : { returns: tool.outputSchema }),
    ...(category === undefined ? {} : { category }),
    ...(tool.server === undefined ? {} : { server: tool.server }),
  };
}
