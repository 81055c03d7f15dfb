import { isSchema, type Tool, type ToolAnnotations, type ToolDefinition } from "@setwise/core";
import { alsoKnownAs } from "./also-known-as.ts";
import { type FoldedSchema, foldSchemas } from "./fold-schemas.ts";

/** Words the unified tool; its name and its arguments are settled before, because every old call must stay possible. */
export interface MergeSynthesiser {
  readonly name: string;
  synthesise(
    members: readonly ToolDefinition[],
    draft: ToolDefinition,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly description: string }>;
}

/** A tool that stands for several, with the way back to each. */
export interface UnifiedTool extends FoldedSchema {
  readonly tool: Tool;
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Representative first: the shortest name; ties by name, then by id. */
export function byRepresentation(a: ToolDefinition, b: ToolDefinition): number {
  return a.name.length - b.name.length || compare(a.name, b.name) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * One tool for several (representative first): its name and id, its description or the first that is not empty, a schema in which every
 * call of each can be written, and of annotations, server and result only what all agree on.
 */
export function unifyTools(members: readonly [Tool, ...Tool[]], description?: string): UnifiedTool {
  const [first] = members;
  const folded = foldSchemas(members);
  const { id, name } = first;
  const own = members.find((member) => member.description !== "")?.description ?? "";
  const text = description ?? sentences(own, choices(members, folded), alsoKnownAs(members));
  const outputSchema = agreed(members, (member) => member.outputSchema);
  const annotations = agreedAnnotations(members);
  const server = agreed(members, (member) => member.server);
  const tags = agreed(members, (member) => member.tags);
  const definition = {
    name,
    description: text,
    inputSchema: folded.inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  };
  const tool: Tool = {
    id,
    ...definition,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(server === undefined ? {} : { server }),
    ...(tags === undefined ? {} : { tags }),
    original: Object.freeze({ ...definition }),
  };
  return { ...folded, tool };
}

/** Texts one behind the other, each a sentence. */
function sentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text, place, all) => (place === all.length - 1 || /[.!?]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

/** What the schema cannot say without a keyword that providers refuse: which arguments are needed together. */
function choices(members: readonly ToolDefinition[], { inputSchema, mappings }: FoldedSchema): string {
  const { required } = inputSchema;
  const always = new Set<unknown>(Array.isArray(required) ? required : []);
  const sets = new Set<string>();
  for (const [place, member] of members.entries()) {
    const needed: unknown = member.inputSchema["required"];
    if (!Array.isArray(needed)) {
      sets.add("");
      continue;
    }
    const names = [...(mappings[place]?.names ?? [])].filter(([, own]) => needed.includes(own)).map(([name]) => name);
    sets.add(
      names
        .filter((name) => !always.has(name))
        .sort()
        .join(", "),
    );
  }
  const told = [...sets].filter((set) => set !== "").sort();
  if (sets.size < 2 || told.length === 0) return "";
  return sets.has("") ? "" : `Needs ${told.join(", or ")}.`;
}

function agreed<T>(members: readonly Tool[], of: (tool: Tool) => T | undefined): T | undefined {
  const [first, ...others] = members.map(of);
  if (first === undefined) return undefined;
  const text = JSON.stringify(first);
  return others.every((other) => other !== undefined && JSON.stringify(other) === text) ? first : undefined;
}

function agreedAnnotations(members: readonly Tool[]): ToolAnnotations | undefined {
  const hints = HINTS.flatMap((hint) => {
    const value = agreed(members, (member) => member.annotations?.[hint]);
    return value === undefined ? [] : [[hint, value] as const];
  });
  const title = agreed(members, (member) => member.annotations?.title);
  const all: ToolAnnotations = { ...(title === undefined ? {} : { title }), ...Object.fromEntries(hints) };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** The names in a unified schema. */
export function unifiedNames(tool: ToolDefinition): ReadonlySet<string> {
  const { properties } = tool.inputSchema;
  return new Set(isSchema(properties) ? Object.keys(properties) : []);
}
