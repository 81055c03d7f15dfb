import type { Note } from "./tool-draft.ts";
import { isSchema, type JsonSchema } from "@setwise/core";
import { placeUnder, setOwn } from "./schema-keywords.ts";

/** Levels of schemas kept; the recursion below is bounded by it. Two levels of JSON stand in one (`properties`, `p`). */
const MAX_SCHEMA_LEVELS = 90;
/** Schemas kept; the rest is cut. */
const MAX_SCHEMAS = 10_000;
/** Values and levels that data under `default`, `enum`, `examples` may have. */
const MAX_DATA_VALUES = 5_000;
const MAX_DATA_LEVELS = 20;
const NULL_MEANS_NOTHING = new Set(["type", "description", "title", "required", "enum", "$ref", "format"]);

interface Mending {
  /** Schemas being copied, outermost first, and those already copied, with the pointer to each. */
  readonly pointers: Map<JsonSchema, string>;
  schemas: number;
  nulls: number;
  rings: number;
  cut: boolean;
  dropped: number;
}

/**
 * A copy of `given` that can be written as JSON: null parts are filled in, a part that contains itself (or comes up again
 * and has parts of its own) becomes a `$ref` to its first place, and what is deeper than 90 levels is cut.
 */
export function mendSchema(given: JsonSchema, notes: Note[]): JsonSchema {
  const mending: Mending = { pointers: new Map(), schemas: 0, nulls: 0, rings: 0, cut: false, dropped: 0 };
  const schema = mendNode(given, "#", 0, mending);
  if (mending.nulls > 0)
    notes.push({ code: "filled-in", message: "its schema had null parts; they are read as empty" });
  if (mending.rings > 0)
    notes.push({ code: "filled-in", message: "its schema was a cyclic object; each ring is now a $ref" });
  if (mending.dropped > 0)
    notes.push({ code: "filled-in", message: "its schema held values that are no JSON; they are left out" });
  if (mending.cut)
    notes.push({
      code: "schema-cut",
      message: `its schema is deeper than ${MAX_SCHEMA_LEVELS} levels or has more than ${MAX_SCHEMAS} parts; it is cut there`,
    });
  return schema;
}

function mendNode(node: JsonSchema, pointer: string, level: number, mending: Mending): JsonSchema {
  const first = mending.pointers.get(node);
  if (first !== undefined) {
    mending.rings++;
    return { $ref: first };
  }
  if (level > MAX_SCHEMA_LEVELS || mending.schemas >= MAX_SCHEMAS) {
    mending.cut = true;
    return {};
  }
  mending.schemas++;
  const copy: Record<string, unknown> = {};
  let hasParts = false;
  mending.pointers.set(node, pointer);
  for (const keyword of Object.keys(node)) {
    const value = node[keyword];
    const place = placeUnder(keyword);
    if (place === "data") mendData(copy, keyword, value, mending);
    else {
      hasParts = true;
      mendPart(copy, keyword, value, `${pointer}/${escapeStep(keyword)}`, level, mending);
    }
  }
  // Leaves may be shared freely; naming them by reference would only make them harder to read.
  if (!hasParts) mending.pointers.delete(node);
  return copy;
}

function mendPart(
  copy: Record<string, unknown>,
  keyword: string,
  value: unknown,
  pointer: string,
  level: number,
  mending: Mending,
): void {
  if (value === null) {
    mending.nulls++;
    if (keyword === "properties") copy[keyword] = {};
    return;
  }
  const mendChild = (child: unknown, step: string): unknown => {
    if (isSchema(child)) return mendNode(child, step, level + 1, mending);
    if (child === null) mending.nulls++;
    return typeof child === "boolean" ? child : {};
  };
  if (Array.isArray(value))
    setOwn(
      copy,
      keyword,
      value.map((child, position) => mendChild(child, `${pointer}/${position}`)),
    );
  else if (placeUnder(keyword) === "map" && isSchema(value)) {
    const map: Record<string, unknown> = {};
    for (const name of Object.keys(value)) setOwn(map, name, mendChild(value[name], `${pointer}/${escapeStep(name)}`));
    setOwn(copy, keyword, map);
  } else setOwn(copy, keyword, mendChild(value, pointer));
}

function mendData(copy: Record<string, unknown>, keyword: string, value: unknown, mending: Mending): void {
  if (value === null && NULL_MEANS_NOTHING.has(keyword)) mending.nulls++;
  else if (isPlainData(value)) setOwn(copy, keyword, value);
  else if (value !== undefined) mending.dropped++;
}

/** Whether `value` is JSON of bounded size and depth. */
function isPlainData(value: unknown): boolean {
  const values: unknown[] = [value];
  const levels: number[] = [0];
  for (let seen = 0; values.length > 0; seen++) {
    const item = values.pop();
    const level = levels.pop() ?? 0;
    if (seen > MAX_DATA_VALUES || level > MAX_DATA_LEVELS) return false;
    if (item === null || typeof item === "string" || typeof item === "number" || typeof item === "boolean") continue;
    if (typeof item !== "object" || typeof (item as { toJSON?: unknown }).toJSON === "function") return false;
    for (const child of Object.values(item)) {
      values.push(child);
      levels.push(level + 1);
    }
  }
  return true;
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}
