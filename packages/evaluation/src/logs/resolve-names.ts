import type { Tool } from "@setwise/core";

/** The id of the tool that a log means by `name`; the name itself where no tool, or more than one, could be meant. */
export type NameResolver = (name: string) => string;

/**
 * Finds tools by id, by name, and by either as providers force one to write it (other characters than letters, digits, `_` and `-`
 * become `_`), in this order. A name that two tools have means neither.
 */
export function nameResolver(tools: readonly Pick<Tool, "id" | "name">[]): NameResolver {
  const ids = new Map(tools.map(({ id }) => [id, id]));
  const names = unique(tools.map(({ id, name }) => [name, id]));
  const written = unique(
    tools.flatMap(({ id, name }) => [...new Set([providerForm(id), providerForm(name)])].map((form) => [form, id])),
  );
  return (name) => ids.get(name) ?? names.get(name) ?? written.get(providerForm(name)) ?? name;
}

function unique(pairs: readonly (readonly string[])[]): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const [name = "", id] of pairs) found.set(name, found.has(name) && found.get(name) !== id ? undefined : id);
  return found;
}

function providerForm(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}
