import { type JsonSchema, resolveReference } from "@setwise/core";
import { distinctNames } from "../distinct-names.ts";
import { mapSchema } from "../map-schema.ts";
import { inspect } from "../plain-schema.ts";
import { setOwn } from "../schema-keywords.ts";
import type { Entry, Note } from "../tool-draft.ts";

/**
 * Definitions one tool carries, nearest first. Large documents are so connected that without a bound every tool would carry
 * most of them; what lies further off is an empty schema, so that every reference still resolves.
 */
const MAX_DEFINITIONS = 60;
/** Keywords of OpenAPI that say nothing to a JSON Schema reader, or point into the document by other means. */
const openApiOnly = new Set(["nullable", "xml", "externalDocs", "discriminator"]);
/** Published documents write `maximum: "50"`; validators refuse that. */
const numericKeywords = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "multipleOf"];

export interface Carried {
  readonly schema: JsonSchema;
  readonly notes: readonly Note[];
}

/** Makes schemas that stand inside a document stand alone. */
export interface Definitions {
  /** `schema` as JSON Schema, its references into the document pointing to `$defs` that it carries. */
  carry(schema: JsonSchema): Carried;
}

interface Definition {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Pointers it refers to. */
  readonly references: ReadonlySet<string>;
}

/** The definitions of one document; each is rewritten once, when a tool first needs it. */
export function documentDefinitions(document: Entry): Definitions {
  const byPointer = new Map<string, Definition | undefined>();
  const names = new Map<string, string>();
  const freeName = distinctNames();
  const nameOf = (pointer: string): string => {
    const known = names.get(pointer);
    if (known !== undefined) return known;
    const last = pointer.slice(pointer.lastIndexOf("/") + 1).replaceAll(/[^\p{L}\p{N}_.-]+/gu, "_") || "part";
    const name = freeName(last);
    names.set(pointer, name);
    return name;
  };
  const rewrite = (schema: JsonSchema, references: Set<string>): JsonSchema =>
    mapSchema(schema, (node) => {
      const { $ref: reference } = node;
      const plain = jsonSchemaOf(node);
      if (
        typeof reference !== "string" ||
        !reference.startsWith("#/") ||
        resolveReference(document, reference) === undefined
      )
        return plain;
      references.add(reference);
      return { ...plain, $ref: `#/$defs/${nameOf(reference)}` };
    });
  const definitionAt = (pointer: string): Definition | undefined => {
    if (byPointer.has(pointer)) return byPointer.get(pointer);
    const target = resolveReference(document, pointer);
    const references = new Set<string>();
    const definition =
      target === undefined ? undefined : { name: nameOf(pointer), schema: rewrite(target, references), references };
    byPointer.set(pointer, definition);
    return definition;
  };
  return {
    carry(schema) {
      // A document that a library has dereferenced may be cyclic; it has no references to rewrite and is mended later.
      if (inspect(schema).endless) return { schema, notes: [] };
      const references = new Set<string>();
      const rewritten = rewrite(schema, references);
      return references.size === 0
        ? { schema: rewritten, notes: [] }
        : withDefinitions(rewritten, references, definitionAt, nameOf);
    },
  };
}

/** Gathers what `references` need, and what that needs, breadth first. The set grows while it is read. */
function withDefinitions(
  schema: JsonSchema,
  references: Set<string>,
  definitionAt: (pointer: string) => Definition | undefined,
  nameOf: (pointer: string) => string,
): Carried {
  const carried: Record<string, unknown> = {};
  let count = 0;
  let cut = 0;
  for (const pointer of references) {
    if (count >= MAX_DEFINITIONS) {
      setOwn(carried, nameOf(pointer), {});
      cut++;
      continue;
    }
    const definition = definitionAt(pointer);
    setOwn(carried, nameOf(pointer), definition?.schema ?? {});
    count++;
    for (const further of definition?.references ?? []) references.add(further);
  }
  const notes =
    cut === 0
      ? []
      : [
          {
            code: "schema-cut" as const,
            message: `it refers to more than ${MAX_DEFINITIONS} definitions; ${cut} of them are left open`,
          },
        ];
  return { schema: { ...schema, $defs: carried }, notes };
}

/**
 * OpenAPI 3.0 and Swagger 2 dialect to JSON Schema: `nullable`, `type: file`, boolean exclusive bounds, bounds written as
 * texts. Vendor extensions go: they mean nothing to a model, and references inside them point anywhere.
 */
function jsonSchemaOf(node: JsonSchema): JsonSchema {
  if (Object.keys(node).every((keyword) => !isForeign(keyword, node[keyword]))) return node;
  const copy: Record<string, unknown> = {};
  for (const keyword of Object.keys(node)) {
    if (!openApiOnly.has(keyword) && !keyword.startsWith("x-")) setOwn(copy, keyword, node[keyword]);
  }
  for (const keyword of numericKeywords) {
    const value = copy[keyword];
    if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
      copy[keyword] = Number(value);
  }
  if (copy["type"] === "file") Object.assign(copy, { type: "string", format: "binary" });
  if (node["nullable"] === true) allowNull(copy);
  exclusive(copy, "minimum", "exclusiveMinimum");
  exclusive(copy, "maximum", "exclusiveMaximum");
  return copy;
}

function isForeign(keyword: string, value: unknown): boolean {
  if (openApiOnly.has(keyword) || keyword.startsWith("x-") || (keyword === "type" && value === "file")) return true;
  if (keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum") return typeof value === "boolean";
  return typeof value === "string" && numericKeywords.includes(keyword);
}

function allowNull(copy: Record<string, unknown>): void {
  if (typeof copy["type"] === "string") copy["type"] = [copy["type"], "null"];
  if (Array.isArray(copy["enum"]) && !copy["enum"].includes(null))
    copy["enum"] = [...(copy["enum"] as unknown[]), null];
}

/** In OpenAPI 3.0 the bound is `minimum` and `exclusiveMinimum: true` says it is not part of the range. */
function exclusive(copy: Record<string, unknown>, bound: string, keyword: string): void {
  if (typeof copy[keyword] !== "boolean") return;
  if (copy[keyword] === true && typeof copy[bound] === "number") {
    copy[keyword] = copy[bound];
    delete copy[bound];
  } else delete copy[keyword];
}
