import type { Entry, Note } from "./tool-draft.ts";
import { type JsonSchema, resolveReference } from "@setwise/core";
import { mendSchema } from "./mend-schema.ts";
import { placeUnder } from "./schema-keywords.ts";

/** Levels of JSON a schema may have. Beyond, JSON.stringify and validators come near the end of the stack (it fails at 4,000). */
export const MAX_LEVELS = 200;
/** Values a schema may have before repeated parts are looked for: an aliased document can name one part a million times. */
const MAX_VALUES = 50_000;
/** Dangling references named in notes; further ones say nothing new. */
const MAX_NAMED_REFERENCES = 3;

/** A schema that is plain JSON, and what had to be done to it. */
export interface PlainSchema {
  /** The given object itself unless it had to be mended. */
  readonly schema: JsonSchema;
  readonly notes: readonly Note[];
}

/** Checks that `given` can be written as JSON and mends it where it cannot: null parts, cycles, endless depth. */
export function plainSchema(given: JsonSchema): PlainSchema {
  const { sound, references } = inspect(given);
  const notes: Note[] = [];
  const mended = sound ? given : mendSchema(given, notes);
  // Without a note nothing was wrong after all: a property may be called "properties".
  const schema = notes.length === 0 ? given : mended;
  let named = 0;
  for (const reference of references) {
    if (resolveReference(schema, reference) !== undefined || named === MAX_NAMED_REFERENCES) continue;
    named++;
    const shown = reference.slice(0, 100);
    notes.push({
      code: "unresolved-ref",
      message: `its reference "${shown}" names nothing in the schema; that argument keeps its name only`,
    });
  }
  return { schema, notes };
}

interface Inspection {
  /** Whether it can be kept as it is. */
  readonly sound: boolean;
  /** Whether it has no end, or none in sight: it is cyclic, too deep or too large. */
  readonly endless: boolean;
  readonly references: ReadonlySet<string>;
}

/** One pass over all values: may they be kept as they are, and which references are in them? */
export function inspect(given: JsonSchema): Inspection {
  const references = new Set<string>();
  const values: object[] = [given];
  const keys: string[] = [""];
  const levels: number[] = [0];
  let seen = 0;
  let sound = true;
  while (values.length > 0) {
    const value = values.pop() as Entry;
    const keyOfValue = keys.pop() ?? "";
    const level = levels.pop() ?? 0;
    if (level > MAX_LEVELS || ++seen > MAX_VALUES) return { sound: false, endless: true, references };
    const place = placeUnder(keyOfValue);
    for (const key of Object.keys(value)) {
      const child = value[key];
      if (child === null) {
        if (place === "map" || isStructural(key)) sound = false;
      } else if (typeof child === "object") {
        if (typeof (child as Entry)["toJSON"] === "function") sound = false;
        values.push(child);
        keys.push(key);
        levels.push(level + 1);
      } else if (typeof child === "string") {
        if (key === "$ref") references.add(child);
      } else if (typeof child !== "number" && typeof child !== "boolean") sound = false;
    }
  }
  return { sound, endless: false, references };
}

const structuralKeywords = new Set(["type", "description", "required", "enum", "$ref"]);

/** Whether `null` under this keyword is a fault (under `default`, `const`, `example` it is a value). */
function isStructural(keyword: string): boolean {
  return structuralKeywords.has(keyword) || placeUnder(keyword) !== "data";
}
