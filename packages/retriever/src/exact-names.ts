import type { Catalog } from "@setwise/core";
import { SEARCHED_NAME_CHARACTERS } from "./tool-fields.ts";
import { plainWords } from "./words.ts";

/**
 * Every tool name as its words with one space between, with the tools that have it; beginnings of longer names are keys with
 * no tools, so that a search along a query knows when to stop.
 */
export type ExactNames = ReadonlyMap<string, readonly number[]>;

/** A longer name is matched by its first words: beginnings kept for each name must not grow with the square of its length. */
const MAX_NAME_WORDS = 16;

/** The names of a catalog, for {@link toolsNamedIn}. */
export function exactNames(catalog: Catalog): ExactNames {
  const names = new Map<string, number[]>();
  for (const [ordinal, tool] of catalog.tools.entries()) {
    const all = plainWords(tool.name.slice(0, SEARCHED_NAME_CHARACTERS)).slice(0, MAX_NAME_WORDS);
    let name = "";
    for (const [position, word] of all.entries()) {
      name = position === 0 ? word : `${name} ${word}`;
      const tools = names.get(name) ?? [];
      if (position === all.length - 1) tools.push(ordinal);
      names.set(name, tools);
    }
  }
  return names;
}

/**
 * Ordinals of the tools whose whole name stands in the query, in any spelling (`get_weather`, `getWeather`, "get weather"),
 * ascending and distinct.
 *
 * @param queryWords The query's {@link plainWords}.
 */
export function toolsNamedIn(names: ExactNames, queryWords: readonly string[]): number[] {
  const found: number[] = [];
  for (let start = 0; start < queryWords.length; start++) {
    let name = queryWords[start] ?? "";
    let tools = names.get(name);
    for (let next = start + 1; tools !== undefined; next++) {
      for (const ordinal of tools) found.push(ordinal);
      if (next >= queryWords.length) break;
      name += ` ${queryWords[next]}`;
      tools = names.get(name);
    }
  }
  if (found.length < 2) return found;
  return [...new Set(found)].sort((a, b) => a - b);
}
