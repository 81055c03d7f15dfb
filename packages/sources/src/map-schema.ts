import { isSchema, type JsonSchema } from "@setwise/core";
import { placeUnder, setOwn } from "./schema-keywords.ts";

/**
 * Levels of schemas that are followed; beyond stands an empty schema. The recursion below is bounded by it, so a deep input
 * cannot overflow the stack.
 */
const MAX_LEVELS = 200;
/** Schemas looked at in one call: an input that multiplies itself comes to an end. */
const MAX_SCHEMAS = 50_000;

/** Gives the schema that stands instead of `node`; its children are mapped afterwards. */
export type SchemaMapper = (node: JsonSchema) => JsonSchema;

/**
 * `schema` with `replace` applied to it and to every schema inside, outermost first. What does not change keeps its
 * identity: if nothing changes, `schema` itself comes back. The input is never touched.
 */
export function mapSchema(schema: JsonSchema, replace: SchemaMapper): JsonSchema {
  const budget = { left: MAX_SCHEMAS };
  return mapNode(schema, replace, budget, 0);
}

function mapNode(node: JsonSchema, replace: SchemaMapper, budget: { left: number }, level: number): JsonSchema {
  if (level > MAX_LEVELS || budget.left-- <= 0) return {};
  const replaced = replace(node);
  let copy: Record<string, unknown> | undefined;
  for (const keyword of Object.keys(replaced)) {
    const value = replaced[keyword];
    if (typeof value !== "object" || value === null) continue;
    const mapped = mapUnder(keyword, value, (child) => mapNode(child, replace, budget, level + 1));
    if (mapped === value) continue;
    copy ??= { ...replaced };
    setOwn(copy, keyword, mapped);
  }
  return copy ?? replaced;
}

function mapUnder(keyword: string, value: object, mapChild: (child: JsonSchema) => JsonSchema): unknown {
  const place = placeUnder(keyword);
  if (place === "data") return value;
  if (Array.isArray(value)) return place === "map" ? value : mapList(value, mapChild);
  if (place === "map") return mapValues(value as JsonSchema, mapChild);
  return place === "schema" ? mapChild(value as JsonSchema) : value;
}

function mapList(list: readonly unknown[], mapChild: (child: JsonSchema) => JsonSchema): readonly unknown[] {
  let changed = false;
  const mapped = list.map((item) => {
    if (!isSchema(item)) return item;
    const result = mapChild(item);
    if (result !== item) changed = true;
    return result;
  });
  return changed ? mapped : list;
}

function mapValues(map: JsonSchema, mapChild: (child: JsonSchema) => JsonSchema): JsonSchema {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(map)) {
    const value = map[name];
    if (!isSchema(value)) continue;
    const mapped = mapChild(value);
    if (mapped === value) continue;
    copy ??= { ...map };
    setOwn(copy, name, mapped);
  }
  return copy ?? map;
}
