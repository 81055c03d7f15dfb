import { isDeepStrictEqual } from "node:util";
import { isSchema, type JsonSchema, resolveReference } from "@setwise/core";
import { mergeObject } from "./merge-object.ts";
import type { ProviderSchema } from "./provider-schema.ts";
import { setOwn } from "./schema-keywords.ts";

/*
 * Gemini's `parameters` is a subset of the OpenAPI 3.0 schema: no references, one type, `nullable`, `anyOf`, enums of
 * strings. What it cannot say is said in the description or left to the validation of the original schema.
 */

/** Levels of nested arguments that are written out; the recursion below is bounded by it. */
const MAX_LEVELS = 24;
/** Schemas written out: references that multiply each other come to an end. */
const MAX_SCHEMAS = 2_000;
/** Keywords that are kept as they stand. */
const keptKeywords = ["description", "nullable", "minimum", "maximum", "minItems", "maxItems"] as const;
const keptFormats = new Set(["date-time", "enum", "int32", "int64", "float", "double"]);
/** Values of an enum that are named in a description where no enum can stand. */
const MAX_NAMED_VALUES = 20;

interface Inlining {
  readonly root: JsonSchema;
  /** References we are inside of. */
  readonly open: Set<JsonSchema>;
  schemas: number;
  cut: boolean;
}

/** `schema` without references and with Gemini's keywords only. */
export function inlineSchema(schema: JsonSchema): ProviderSchema {
  const inlining: Inlining = { root: schema, open: new Set([schema]), schemas: 0, cut: false };
  const { properties, required } = mergeObject(schema, (reference) => resolveReference(schema, reference));
  const { description } = schema;
  const result = {
    type: "object",
    ...(typeof description === "string" ? { description } : {}),
    ...writeProperties(properties, required, inlining, 0),
  };
  const given = "properties" in schema ? schema : { ...schema, properties: {} };
  if (isDeepStrictEqual(given, result)) return { schema, changes: [] };
  const changes = ["it was written out in the keywords that Gemini knows"];
  if (inlining.cut) changes.push("rings and very deep parts end in an object without properties");
  return { schema: result, changes };
}

function writeProperties(
  properties: JsonSchema,
  required: readonly string[],
  inlining: Inlining,
  level: number,
): JsonSchema {
  const names = Object.keys(properties);
  const written: Record<string, unknown> = {};
  for (const name of names) setOwn(written, name, write(properties[name], inlining, level + 1));
  const needed = required.filter((name) => Object.hasOwn(properties, name));
  return { properties: written, ...(needed.length > 0 ? { required: needed } : {}) };
}

function write(given: unknown, inlining: Inlining, level: number): JsonSchema {
  if (!isSchema(given)) return { type: "string" };
  if (level > MAX_LEVELS || ++inlining.schemas > MAX_SCHEMAS) {
    inlining.cut = true;
    return { type: "object", ...kept(given) };
  }
  const reference = given["$ref"];
  if (typeof reference === "string") return writeReference(given, reference, inlining, level);
  if (Array.isArray(given["allOf"])) return writeMerged(given, inlining, level);
  const alternatives = given["anyOf"] ?? given["oneOf"];
  if (Array.isArray(alternatives)) return writeAlternatives(given, alternatives, inlining, level);
  if (Array.isArray(given["type"])) {
    return writeAlternatives(
      given,
      given["type"].map((type: unknown) => ({ ...given, type })),
      inlining,
      level,
    );
  }
  return writeTyped(given, typeOf(given), inlining, level);
}

function writeReference(given: JsonSchema, reference: string, inlining: Inlining, level: number): JsonSchema {
  const target = resolveReference(inlining.root, reference);
  if (target === undefined || inlining.open.has(target)) {
    inlining.cut = true;
    return { type: target === undefined ? "string" : "object", ...kept(given) };
  }
  inlining.open.add(target);
  const written = { ...write(target, inlining, level), ...kept(given) };
  inlining.open.delete(target);
  return written;
}

/** `allOf` of one part is that part; of several, one object with the arguments of all. */
function writeMerged(given: JsonSchema, inlining: Inlining, level: number): JsonSchema {
  const parts = given["allOf"] as unknown[];
  if (parts.length === 1 && !isSchema(given["properties"]))
    return { ...write(parts[0], inlining, level), ...kept(given) };
  const { properties, required } = mergeObject(given, (reference) => resolveReference(inlining.root, reference));
  if (Object.keys(properties).length === 0) return { ...write(parts[0], inlining, level), ...kept(given) };
  return { type: "object", ...kept(given), ...writeProperties(properties, required, inlining, level) };
}

function writeAlternatives(
  given: JsonSchema,
  alternatives: readonly unknown[],
  inlining: Inlining,
  level: number,
): JsonSchema {
  const isNull = (schema: unknown): boolean => isSchema(schema) && schema["type"] === "null";
  const others = alternatives.filter((schema) => !isNull(schema)).map((schema) => write(schema, inlining, level + 1));
  const nullable = others.length < alternatives.length ? { nullable: true } : {};
  const [only] = others;
  if (only === undefined) return { type: "string", ...kept(given), nullable: true };
  if (others.length === 1) return { ...only, ...kept(given), ...nullable };
  return { ...kept(given), ...nullable, anyOf: others };
}

function writeTyped(given: JsonSchema, type: string, inlining: Inlining, level: number): JsonSchema {
  const { format } = given;
  const written: Record<string, unknown> = { type, ...kept(given) };
  if (typeof format === "string" && keptFormats.has(format)) written["format"] = format;
  if (type === "object" && isSchema(given["properties"])) {
    const required = Array.isArray(given["required"])
      ? given["required"].filter((name) => typeof name === "string")
      : [];
    Object.assign(written, writeProperties(given["properties"], required, inlining, level));
  }
  if (type === "array") written["items"] = write(itemsOf(given), inlining, level + 1);
  return { ...written, ...writeEnum(given, type) };
}

function writeEnum(given: JsonSchema, type: string): JsonSchema {
  const values: readonly unknown[] = Array.isArray(given["enum"])
    ? given["enum"]
    : "const" in given
      ? [given["const"]]
      : [];
  if (values.length === 0) return {};
  if (type === "string") {
    const texts = values.filter((value): value is string => typeof value === "string" && value !== "");
    return texts.length > 0 ? { enum: texts } : {};
  }
  const { description } = given;
  const listed = `One of: ${values.slice(0, MAX_NAMED_VALUES).map(String).join(", ")}.`;
  return { description: typeof description === "string" && description !== "" ? `${description} ${listed}` : listed };
}

function itemsOf(given: JsonSchema): unknown {
  const items = given["items"] ?? given["prefixItems"];
  return Array.isArray(items) ? { anyOf: items } : items;
}

/** The type, or what the other keywords let one suppose. */
function typeOf(given: JsonSchema): string {
  const { type } = given;
  if (typeof type === "string" && type !== "null") return type.toLowerCase();
  if (isSchema(given["properties"]) || isSchema(given["additionalProperties"])) return "object";
  if ("items" in given || "prefixItems" in given) return "array";
  const [value] = Array.isArray(given["enum"]) ? given["enum"] : [given["const"]];
  return typeof value === "number" || typeof value === "boolean" ? typeof value : "string";
}

function kept(given: JsonSchema): JsonSchema {
  const written: Record<string, unknown> = {};
  for (const keyword of keptKeywords) if (given[keyword] !== undefined) written[keyword] = given[keyword];
  return written;
}
