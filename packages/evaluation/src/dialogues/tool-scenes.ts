import { type Catalog, schemaFields, type Tool } from "@setwise/core";
import { objectOf } from "../logs/json-shape.ts";
import type { InteractionState } from "./states.ts";

/** Nobody names more in one breath. */
const MOST_SLOTS = 3;
const CHANGING =
  /\b(?:add|archive|cancel|create|delete|drop|kill|move|overwrite|publish|remove|reset|send|set|update|write)/i;
const FINDING = /\b(?:browse|find|get|list|look|query|read|search|show)/i;

/** The scene, or category, of a tool: its server, its first tag, or the first word of its name. */
export function sceneOf(tool: Tool): string {
  return tool.server ?? tool.tags?.[0] ?? words(tool.name)[0] ?? tool.name;
}

/** Tools by scene, in the order of the catalog. */
export function scenesOf(catalog: Catalog): ReadonlyMap<string, readonly Tool[]> {
  const scenes = new Map<string, Tool[]>();
  for (const tool of catalog.tools) {
    const scene = scenes.get(sceneOf(tool));
    if (scene === undefined) scenes.set(sceneOf(tool), [tool]);
    else scene.push(tool);
  }
  return scenes;
}

/** Names of the arguments that a user could leave out and be asked for: the required ones, or else any. */
export function slotsOf(tool: Tool): readonly string[] {
  const { properties, required } = tool.inputSchema as { readonly properties?: unknown; readonly required?: unknown };
  const names = schemaFields(tool.inputSchema)
    .fields.filter(({ name, depth }) => depth === 0 && isSaid(objectOf(properties)?.[name]))
    .map(({ name }) => name);
  const needed = names.filter((name) => Array.isArray(required) && required.includes(name));
  return (needed.length > 0 ? needed : names).slice(0, MOST_SLOTS);
}

/** A person says texts and numbers. */
function isSaid(schema: unknown): boolean {
  const type = objectOf(schema)?.type;
  return type === undefined || type === "string" || type === "number" || type === "integer";
}

/** The subset S_t of states that make sense for a tool: it asks for a detail only if it takes one, and so on. */
export function canBe(tool: Tool, state: InteractionState): boolean {
  const verb = `${words(tool.name).join(" ")} ${tool.description.slice(0, 60)}`;
  if (state === "ask-detail") return slotsOf(tool).length > 0;
  if (state === "confirm") return tool.annotations?.readOnlyHint !== true && CHANGING.test(verb);
  if (state === "select") return FINDING.test(verb);
  return true;
}

/** The words of a name; camel case and snake case are split. */
export function words(name: string): readonly string[] {
  const split = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return split.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
