import { isSchema, type JsonSchema, resolveReference } from "@setwise/core";
import { inlineSchema } from "./inline-schema.ts";
import { mapSchema } from "./map-schema.ts";
import { mergeObject } from "./merge-object.ts";
import { renameArguments } from "./provider-arguments.ts";
import type { ProviderRules } from "./provider-rules.ts";
import { setOwn } from "./schema-keywords.ts";

/** A schema a provider accepts; the given object itself where nothing had to be changed. */
export interface ProviderSchema {
  readonly schema: JsonSchema;
  /** What was changed, in words. */
  readonly changes: readonly string[];
  /** Arguments under a new name, with the one the tool knows. */
  readonly argumentNames?: ReadonlyMap<string, string>;
}

/** Keywords that providers refuse at the root. */
const refusedAtRoot = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "enum",
  "const",
  "if",
  "then",
  "else",
  "dependentSchemas",
];

/** Fits `schema` to the rules. It accepts at least what the given one accepts; the given one is not touched. */
export function providerSchema(schema: JsonSchema, rules: ProviderRules): ProviderSchema {
  if (rules.schema === "any") return { schema, changes: [] };
  if (rules.schema === "inlined") return inlineSchema(schema);
  const changes: string[] = [];
  const { schema: renamed, originals } = renameArguments(objectRoot(schema, changes), rules.propertyNames);
  if (originals.size > 0) changes.push("arguments whose names are refused were renamed");
  let result = keepReferences(renamed, schema, changes);
  if (rules.needsParts) result = addParts(result, changes);
  return { schema: result, changes, ...(originals.size > 0 ? { argumentNames: originals } : {}) };
}

function objectRoot(schema: JsonSchema, changes: string[]): JsonSchema {
  const refused = refusedAtRoot.filter((keyword) => keyword in schema);
  if (refused.length === 0 && schema["type"] === "object") return schema;
  const rest: Record<string, unknown> = {};
  for (const keyword of Object.keys(schema))
    if (!refusedAtRoot.includes(keyword)) setOwn(rest, keyword, schema[keyword]);
  rest["type"] = "object";
  if (refused.length === 0) {
    changes.push('its root has type "object" now');
    return rest;
  }
  const { properties, required } = mergeObject(schema, (reference) => resolveReference(schema, reference));
  rest["properties"] = properties;
  if (required.length > 0) rest["required"] = required;
  else delete rest["required"];
  changes.push(`${refused.join(", ")} at its root became one object with all arguments`);
  return rest;
}

/** References into a root that was merged move to `$defs`; those that never named anything become free parts. */
function keepReferences(schema: JsonSchema, given: JsonSchema, changes: string[]): JsonSchema {
  const moved = new Map<string, { readonly name: string; readonly target: JsonSchema }>();
  let dangling = false;
  const point = (node: JsonSchema): JsonSchema => {
    const reference = node["$ref"];
    if (typeof reference !== "string" || resolveReference(schema, reference) !== undefined) return node;
    const target = resolveReference(given, reference);
    if (target === undefined) {
      dangling = true;
      const { $ref: _removed, ...free } = node;
      return free;
    }
    const name = moved.get(reference)?.name ?? `part_${moved.size + 1}`;
    moved.set(reference, { name, target });
    return { ...node, $ref: `#/$defs/${name}` };
  };
  const result = mapSchema(schema, point);
  if (dangling) changes.push("references that name nothing were taken out");
  if (moved.size === 0) return result;
  const definitions: Record<string, unknown> = isSchema(result["$defs"]) ? { ...result["$defs"] } : {};
  // A moved part may itself refer to such a part; the map grows while it is read.
  for (const { name, target } of moved.values()) setOwn(definitions, name, mapSchema(target, point));
  return { ...result, $defs: definitions };
}

/** Says `properties` and `items` where a schema leaves them open; only a list of item schemas loses something by it. */
function addParts(schema: JsonSchema, changes: string[]): JsonSchema {
  let tuples = 0;
  const mapped = mapSchema(schema, (node) => {
    const { type, items } = node;
    if (Array.isArray(items)) {
      tuples++;
      return { ...node, items: { anyOf: items } };
    }
    const isArray = type === "array" || (Array.isArray(type) && type.includes("array"));
    return isArray && items === undefined ? { ...node, items: {} } : node;
  });
  if (tuples > 0) changes.push("lists of item schemas became one schema for every item");
  return isSchema(mapped["properties"]) ? mapped : { ...mapped, properties: {} };
}
