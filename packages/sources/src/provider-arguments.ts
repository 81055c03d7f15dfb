import { isSchema, type JsonSchema } from "@setwise/core";
import { distinctNames } from "./distinct-names.ts";
import { setOwn } from "./schema-keywords.ts";

/** Longest name of an argument before a number is put behind it; Anthropic's limit is 64. */
const MAX_LENGTH = 60;

/** A schema whose arguments have acceptable names, and what they were called before. */
export interface RenamedArguments {
  readonly schema: JsonSchema;
  /** New name to old, for those that changed. */
  readonly originals: ReadonlyMap<string, string>;
}

/**
 * Arguments of the tool itself whose names a provider refuses (`filter[id]`, `$top`) get names it accepts (`filter_id`,
 * `top`). Names inside nested objects are not looked at by any provider known.
 */
export function renameArguments(schema: JsonSchema, allowed: RegExp | undefined): RenamedArguments {
  const { properties, required } = schema;
  const originals = new Map<string, string>();
  if (allowed === undefined || !isSchema(properties)) return { schema, originals };
  const names = Object.keys(properties);
  const kept = new Set(names.filter((name) => allowed.test(name)));
  const freeName = distinctNames(new Set(kept));
  const renamed = new Map<string, string>();
  for (const name of names) {
    if (kept.has(name)) continue;
    const free = freeName(cleaned(name, allowed));
    renamed.set(name, free);
    originals.set(free, name);
  }
  if (renamed.size === 0) return { schema, originals };
  const copy: Record<string, unknown> = {};
  for (const name of names) setOwn(copy, renamed.get(name) ?? name, properties[name]);
  const needed = Array.isArray(required) ? { required: required.map((name: string) => renamed.get(name) ?? name) } : {};
  return { schema: { ...schema, properties: copy, ...needed }, originals };
}

function cleaned(name: string, allowed: RegExp): string {
  let text = "";
  for (const character of name) {
    if (text.length >= MAX_LENGTH) break;
    if (allowed.test(character)) text += character;
    else if (text !== "" && !text.endsWith("_")) text += "_";
  }
  return text.replace(/_+$/, "") || "argument";
}
