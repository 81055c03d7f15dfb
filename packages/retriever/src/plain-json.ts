/** A larger or deeper object is not kept in a saved index; its tool's definition stands for it. */
const MOST_VALUES = 20_000;
const MOST_CHARACTERS = 1_000_000;
const DEEPEST = 200;

/**
 * Whether `value` is an object that comes back the same from JSON text: plain objects and arrays of strings, finite numbers,
 * booleans and null, within bounds. Getters are not called; a ring is deeper than any bound.
 */
export function isPlainJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  let level: unknown[] = [value];
  let values = 0;
  let characters = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > DEEPEST || values > MOST_VALUES) return false;
    const next: unknown[] = [];
    for (const part of level) {
      const size = typeof part === "object" && part !== null ? openPlainObject(part, next) : plainSize(part);
      if (size === undefined) return false;
      characters += size;
    }
    if (characters > MOST_CHARACTERS) return false;
    level = next;
  }
  return true;
}

/** Characters of a JSON value that has no parts; `undefined` for what JSON cannot hold. */
function plainSize(value: unknown): number | undefined {
  if (typeof value === "string") return value.length;
  return value === null || typeof value === "boolean" || Number.isFinite(value) ? 1 : undefined;
}

/** Appends the parts of a plain object or array; returns the characters of its names, or `undefined` if it is not plain. */
function openPlainObject(value: object, parts: unknown[]): number | undefined {
  const isArray = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== (isArray ? Array.prototype : Object.prototype) && prototype !== null) return undefined;
  if (Object.getOwnPropertySymbols(value).length > 0) return undefined;
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value));
  if (isArray && properties.length !== value.length + 1) return undefined;
  let characters = 0;
  for (const [name, property] of properties) {
    if (isArray && name === "length") continue;
    if (!("value" in property) || property.enumerable !== true || name === "toJSON") return undefined;
    parts.push(property.value);
    characters += name.length;
  }
  return characters;
}
