import type { JsonSchema } from "./json-schema.ts";

/** A pointer with more steps than this is not followed: no real document is that deep. */
const MAX_POINTER_STEPS = 256;

/**
 * The schema that a local `$ref` names inside `root`, or `undefined`. Understands `#`, JSON pointers (`#/$defs/a`), and the
 * `$anchor` or `$id` of a definition (`#name`, `name.json`). Never reads a file or an address, and takes one step only: a
 * target that is itself a `$ref` is returned as it is.
 */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === "#" || reference === "") return root;
  const target = reference.startsWith("#/") ? atPointer(root, reference.slice(2)) : definitionNamed(root, reference);
  return isSchema(target) ? target : undefined;
}

/** Whether `value` can be read as a schema object (not `true`, `false`, `null` or a list). */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function atPointer(root: JsonSchema, pointer: string): unknown {
  const steps = pointer.split("/", MAX_POINTER_STEPS + 1);
  if (steps.length > MAX_POINTER_STEPS) return undefined;
  let value: unknown = root;
  for (const step of steps) {
    if (typeof value !== "object" || value === null) return undefined;
    const key = unescapeStep(step);
    if (!Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function unescapeStep(step: string): string {
  if (!step.includes("~") && !step.includes("%")) return step;
  return decodePercent(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function definitionNamed(root: JsonSchema, reference: string): unknown {
  if (root["$id"] === reference) return root;
  for (const keyword of ["$defs", "definitions"]) {
    const definitions = root[keyword];
    if (!isSchema(definitions)) continue;
    const definition = namesOf(definitions).get(reference);
    if (definition !== undefined) return definition;
  }
  return undefined;
}

/** Definitions by `$id` and `#anchor`, gathered at the first look: thousands of references may be sought among thousands. */
const namesByDefinitions = new WeakMap<JsonSchema, ReadonlyMap<string, JsonSchema>>();

function namesOf(definitions: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const known = namesByDefinitions.get(definitions);
  if (known !== undefined) return known;
  const names = new Map<string, JsonSchema>();
  for (const definition of Object.values(definitions)) {
    if (!isSchema(definition)) continue;
    const { $id: id, $anchor: anchor } = definition;
    if (typeof id === "string" && !id.startsWith("#") && !names.has(id)) names.set(id, definition);
    if (typeof anchor === "string" && !names.has(`#${anchor}`)) names.set(`#${anchor}`, definition);
  }
  namesByDefinitions.set(definitions, names);
  return names;
}
