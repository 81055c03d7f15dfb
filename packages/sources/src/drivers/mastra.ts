import type { Driver } from "../tool-draft.ts";

/**
 * `createTool({ id, description, inputSchema, execute })`: the id is the name, whatever key the tool stands under. There is
 * no writer: a Mastra tool is its `execute`, so only the caller's own object can be given back.
 */
export const mastra: Driver = {
  format: "mastra",
  recognises: (entry) =>
    typeof entry["id"] === "string" &&
    !("name" in entry) &&
    !("type" in entry) &&
    ("execute" in entry || "inputSchema" in entry),
  read: (entry) => ({
    format: "mastra",
    original: entry,
    name: entry["id"],
    description: entry["description"],
    inputSchema: entry["inputSchema"],
    outputSchema: entry["outputSchema"],
    annotations: mcpAnnotations(entry["mcp"]),
  }),
};

function mcpAnnotations(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (value as { annotations?: unknown }).annotations : undefined;
}
