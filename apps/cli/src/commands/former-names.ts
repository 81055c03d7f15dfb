import { readTextFile } from "setwise";

/** A tool under a name that it had before. */
export interface FormerName {
  readonly id: string;
  readonly name: string;
}

/** What the tools of merged catalogs among the sources were called before `setwise merge`: logs are older than that. */
export async function formerNames(sources: readonly string[]): Promise<readonly FormerName[]> {
  const files = sources.filter((source) => source.endsWith(".json") && !/^https?:/.test(source));
  const aliases = await Promise.all(files.map(aliasesOf));
  return aliases.flat();
}

async function aliasesOf(file: string): Promise<readonly FormerName[]> {
  // What cannot be read here was told of when it was read as a source.
  const text = await readTextFile(file).catch(() => "");
  if (!text.includes('"aliases"')) return [];
  const aliases = (parsed(text) as { readonly aliases?: unknown } | null)?.aliases;
  return Array.isArray(aliases) ? aliases.flatMap(formerNamesOf) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function formerNamesOf(alias: unknown): readonly FormerName[] {
  const { id, name, tool } = (alias ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof tool !== "string") return [];
  return [id, name].flatMap((former) => (typeof former === "string" ? [{ id: tool, name: former }] : []));
}
