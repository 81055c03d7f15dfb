/*
 * Where schemas stand inside a schema (JSON Schema draft 4 to 2020-12). Under any other keyword stands plain data.
 */

/** The value is a schema (`items` may also be a list of them before 2020-12). */
const schemaKeywords = new Set([
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "additionalItems",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
/** The value is a list of schemas. */
const listKeywords = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
/** The value maps names to schemas. */
const mapKeywords = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** What stands at a place in a schema document. */
export type Place = "schema" | "list" | "map" | "data";

/** What stands under `keyword` of a schema. */
export function placeUnder(keyword: string): Place {
  if (mapKeywords.has(keyword)) return "map";
  if (listKeywords.has(keyword)) return "list";
  return schemaKeywords.has(keyword) ? "schema" : "data";
}

/** Sets an own property, also under the name `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}
