import { createHash } from "node:crypto";
import type { ToolDefinition } from "@setwise/core";

const keys = new WeakMap<ToolDefinition, string>();

/** SHA-256 (hex, 32 digits) of all that a decision about a tool rests on: everything but its id. Remembered as long as the tool is. */
export function contentKey(tool: ToolDefinition): string {
  const known = keys.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema, outputSchema, annotations, server } = tool;
  const text = JSON.stringify([name, description, inputSchema, outputSchema, annotations, server]);
  const key = createHash("sha256").update(text).digest("hex").slice(0, 32);
  keys.set(tool, key);
  return key;
}

/** One key for two tools, whichever comes first. */
export function pairKey(a: ToolDefinition, b: ToolDefinition): string {
  const [x, y] = [contentKey(a), contentKey(b)];
  return x <= y ? `${x}:${y}` : `${y}:${x}`;
}

/** What two tools say, in whichever order they come, in 33 characters: kept with a person's decision about them. */
export function pairContent(a: ToolDefinition | undefined, b: ToolDefinition | undefined): string {
  const keys = [a, b].map((tool) => (tool === undefined ? "" : contentKey(tool).slice(0, 16)));
  return keys.sort().join(":");
}
