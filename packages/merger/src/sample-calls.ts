import type { JsonSchema, Tool } from "@setwise/core";
import type { ToolCall } from "./merged-catalog.ts";

/** Deeper parts of a schema get no value. */
const DEEPEST = 6;

/** Two calls of a tool from its schema: with what it needs only, and with all it knows. Whether they are valid is for a validator to say. */
export function sampleCalls(tool: Tool): readonly ToolCall[] {
  const properties = (tool.inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set(
    Array.isArray(tool.inputSchema["required"]) ? (tool.inputSchema["required"] as string[]) : [],
  );
  const given = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, sampleValue(properties[name], 0)]));
  const names = Object.keys(properties);
  const needed = names.filter((name) => required.has(name));
  const all = { tool: tool.id, arguments: given(names) };
  return needed.length === names.length ? [all] : [{ tool: tool.id, arguments: given(needed) }, all];
}

function sampleValue(schema: JsonSchema | undefined, depth: number): unknown {
  if (typeof schema !== "object" || schema === null || depth > DEEPEST) return "text";
  const list = (keyword: string): readonly unknown[] =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [];
  if (list("enum").length > 0) return list("enum")[0];
  if (schema["const"] !== undefined) return schema["const"];
  for (const keyword of ["anyOf", "oneOf"]) {
    if (list(keyword).length > 0) return sampleValue(list(keyword)[0] as JsonSchema, depth + 1);
  }
  const type = Array.isArray(schema["type"]) ? (schema["type"] as unknown[])[0] : schema["type"];
  const least = typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
  switch (type) {
    case "integer":
      return Math.ceil(least);
    case "number":
      return least;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return [sampleValue(schema["items"] as JsonSchema | undefined, depth + 1)];
    case "object":
      return sampleObject(schema, depth);
    default:
      return "text";
  }
}

function sampleObject(schema: JsonSchema, depth: number): Record<string, unknown> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(Object.keys(properties).map((name) => [name, sampleValue(properties[name], depth + 1)]));
}
