import { isSchema, type JsonSchema } from "@setwise/core";
import { setOwn } from "./schema-keywords.ts";

/** Levels of a Zod schema that are read; the recursion below is bounded by it (`z.lazy` can be endless). */
const MAX_LEVELS = 24;

/** Whether `value` is a schema of Zod 3, which has no JSON Schema export. */
export function isZod3(value: object): boolean {
  const definition = (value as { _def?: unknown })._def;
  return isSchema(definition) && typeof definition["typeName"] === "string";
}

/**
 * JSON Schema of a Zod 3 schema, read from its `_def`: enough to search and to show the arguments (names, types, enums,
 * descriptions, what is required). Checks such as lengths are left out; parts without a counterpart become `{}`.
 */
export function zod3Schema(value: unknown): JsonSchema {
  return read(value, 0);
}

function read(value: unknown, level: number): JsonSchema {
  if (level > MAX_LEVELS || typeof value !== "object" || value === null || !isZod3(value)) return {};
  const definition = (value as { _def: JsonSchema })._def;
  const schema = readType(definition, (inner) => read(inner, level + 1));
  const { description } = definition;
  return typeof description === "string" && description !== "" ? { ...schema, description } : schema;
}

/** Types that only wrap another, with the field that holds it. */
const wrappers: Readonly<Record<string, string>> = {
  ZodOptional: "innerType",
  ZodReadonly: "innerType",
  ZodCatch: "innerType",
  ZodBranded: "type",
  ZodEffects: "schema",
  ZodPipeline: "in",
};
const simpleTypes: Readonly<Record<string, JsonSchema>> = {
  ZodString: { type: "string" },
  ZodNumber: { type: "number" },
  ZodBigInt: { type: "integer" },
  ZodBoolean: { type: "boolean" },
  ZodNull: { type: "null" },
  ZodDate: { type: "string", format: "date-time" },
};

function readType(definition: JsonSchema, inner: (value: unknown) => JsonSchema): JsonSchema {
  const typeName = definition["typeName"] as string;
  const wrapped = wrappers[typeName];
  if (wrapped !== undefined) return inner(definition[wrapped]);
  const simple = simpleTypes[typeName];
  if (simple !== undefined) return simple;
  switch (typeName) {
    case "ZodObject":
      return readObject(definition, inner);
    case "ZodArray":
      return { type: "array", items: inner(definition["type"]) };
    case "ZodSet":
      return { type: "array", uniqueItems: true, items: inner(definition["valueType"]) };
    case "ZodTuple":
      return { type: "array", prefixItems: listOf(definition["items"]).map(inner) };
    case "ZodRecord":
    case "ZodMap":
      return { type: "object", additionalProperties: inner(definition["valueType"]) };
    case "ZodEnum":
      return { type: "string", enum: listOf(definition["values"]) };
    case "ZodNativeEnum":
      return { enum: isSchema(definition["values"]) ? Object.values(definition["values"]) : [] };
    case "ZodLiteral":
      return { const: definition["value"] };
    case "ZodNullable":
      return { anyOf: [inner(definition["innerType"]), { type: "null" }] };
    case "ZodDefault":
      return readDefault(definition, inner);
    case "ZodUnion":
      return { anyOf: listOf(definition["options"]).map(inner) };
    case "ZodDiscriminatedUnion":
      return { anyOf: listOf(definition["options"]).map(inner) };
    case "ZodIntersection":
      return { allOf: [inner(definition["left"]), inner(definition["right"])] };
    case "ZodLazy":
      return inner((definition["getter"] as () => unknown)());
    default:
      return {};
  }
}

function readObject(definition: JsonSchema, inner: (value: unknown) => JsonSchema): JsonSchema {
  const shape = (definition["shape"] as () => JsonSchema)();
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const name of Object.keys(shape)) {
    setOwn(properties, name, inner(shape[name]));
    if (!isOptional(shape[name])) required.push(name);
  }
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

function readDefault(definition: JsonSchema, inner: (value: unknown) => JsonSchema): JsonSchema {
  const value = (definition["defaultValue"] as () => unknown)();
  const schema = inner(definition["innerType"]);
  return value === null || ["string", "number", "boolean"].includes(typeof value)
    ? { ...schema, default: value }
    : schema;
}

function isOptional(value: unknown): boolean {
  const method = (value as { isOptional?: unknown } | undefined)?.isOptional;
  return typeof method === "function" && method.call(value) === true;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value instanceof Map ? [...value.values()] : [];
}
