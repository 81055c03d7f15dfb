import type { JsonSchema } from "@setwise/core";

/** Nested deeper, or made of more parts, a schema is not looked into: a hostile one has no end. */
const DEEPEST = 24;
const MOST_PARTS = 4_000;

/** Keywords that say nothing of which values are valid. */
export const TEXTS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "example",
  "default",
  "$schema",
  "$comment",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/** Keywords whose value holds names of the caller's choosing, which may look like any keyword. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "$defs",
  "definitions",
  "patternProperties",
  "dependentSchemas",
]);
/** Keywords whose value is data, not schema. */
const DATA: ReadonlySet<string> = new Set(["enum", "const"]);

/**
 * The schema as one text without titles, descriptions and defaults, keys in order: equal texts accept the same values.
 * `undefined` for one that is cyclic, too deep or too large to tell.
 */
export function bareSchema(schema: unknown): string | undefined {
  const budget = { parts: MOST_PARTS };
  return write(schema, 0, "schema", budget);
}

type Place = "schema" | "names" | "data";

function write(value: unknown, depth: number, place: Place, budget: { parts: number }): string | undefined {
  if (depth > DEEPEST || --budget.parts < 0) return undefined;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return writeList(value, depth, place, budget);
  const written: string[] = [];
  for (const key of Object.keys(value).sort()) {
    if (place === "schema" && TEXTS.has(key)) continue;
    const entry = (value as JsonSchema)[key];
    if (entry === undefined) continue;
    const inner = write(
      place === "schema" && key === "required" ? sorted(entry) : entry,
      depth + 1,
      inside(key, place),
      budget,
    );
    if (inner === undefined) return undefined;
    written.push(`${JSON.stringify(key)}:${inner}`);
  }
  return `{${written.join(",")}}`;
}

function writeList(
  list: readonly unknown[],
  depth: number,
  place: Place,
  budget: { parts: number },
): string | undefined {
  const written: string[] = [];
  for (const entry of list) {
    const inner = write(entry, depth + 1, place, budget);
    if (inner === undefined) return undefined;
    written.push(inner);
  }
  return `[${written.join(",")}]`;
}

function inside(key: string, place: Place): Place {
  if (place === "names") return "schema";
  if (place === "data" || DATA.has(key)) return "data";
  return NAMED.has(key) ? "names" : "schema";
}

function sorted(entry: unknown): unknown {
  return Array.isArray(entry) ? [...entry].sort() : entry;
}
