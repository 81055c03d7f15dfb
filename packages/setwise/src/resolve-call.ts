import type { Catalog, Tool } from "@setwise/core";
import type { MergedCatalog, ResolvedCall, ResolveOptions, ToolCall } from "@setwise/merger";
import { findTool } from "./select-options.ts";

/** The call to make for a call of a tool of `catalog`, which may stand for several. */
export function resolveCall(
  catalog: Catalog,
  merged: MergedCatalog | undefined,
  call: ToolCall,
  options?: ResolveOptions,
): ResolvedCall {
  const isKnown = merged?.newIdOf(call.tool) !== undefined;
  const tool = isKnown ? call.tool : (catalog.tools[findTool(catalog, call.tool)] as Tool).id;
  if (merged !== undefined) return { ...merged.resolve({ ...call, tool }, options), calledAs: call.tool };
  return {
    status: "resolved",
    member: catalog.tools[findTool(catalog, tool)] as Tool,
    arguments: call.arguments ?? {},
    calledAs: call.tool,
    reason: "It stands for itself.",
  };
}

/** Lists of ids that may be of before the merge. */
type ListsOfIds = Partial<Record<"require" | "exclude" | "allow" | "tools", readonly string[]>>;
const lists: ReadonlySet<string> = new Set<keyof ListsOfIds>(["require", "exclude", "allow", "tools"]);

/** Options or a logged query in which ids of folded tools are those of the tools that stand for them now. */
export function withNewIds<T extends ListsOfIds>(merged: MergedCatalog | undefined, given: T): T {
  if (merged === undefined || typeof given !== "object" || given === null) return given;
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) =>
    lists.has(name) && Array.isArray(value) ? [name, merged.translateLabels(value as string[])] : [name, value],
  );
  return Object.fromEntries(entries) as T;
}
