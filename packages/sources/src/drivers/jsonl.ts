import type { ExportedTool } from "../exported-tool.ts";
import { setOwn } from "../schema-keywords.ts";
import { type Driver, type Entry, isEntry } from "../tool-draft.ts";

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
    inputSchema: parameterSchema(entry["parameters"] ?? entry["inputSchema"]),
    outputSchema: entry["returns"] ?? entry["outputSchema"],
    annotations: entry["annotations"],
    server: entry["server"],
    tags: entry["tags"] ?? [entry["category"]],
  }),
};

/** Type names that lists of parameters use, to JSON Schema's. */
const typeNames: Readonly<Record<string, string>> = {
  string: "string",
  str: "string",
  number: "number",
  float: "number",
  integer: "integer",
  int: "integer",
  boolean: "boolean",
  bool: "boolean",
  array: "array",
  list: "array",
  object: "object",
  dict: "object",
};

/** A list of `{ name, type, description, required, default }`, as API directories write it, as a schema. */
function parameterSchema(given: unknown): unknown {
  if (!Array.isArray(given) || !given.every((item) => isEntry(item) && typeof item["name"] === "string")) return given;
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const { name, type, required: isRequired, ...rest } of given as Entry[]) {
    const typeName = typeof type === "string" ? typeNames[type.toLowerCase()] : undefined;
    setOwn(properties, name as string, { ...(typeName === undefined ? {} : { type: typeName }), ...rest });
    if (isRequired === true) required.push(name as string);
  }
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

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
