import type { Tool } from "@setwise/core";

/** A tool whose name and schema are fit for a provider. */
export type ExportedTool = Omit<Tool, "original">;

/** The description as providers take it: left out where there is none. */
export function described(tool: ExportedTool): { readonly description?: string } {
  return tool.description === "" ? {} : { description: tool.description };
}

/** The fields of the caller's object that live on beside an exported name, description and schema. */
export function otherFields(original: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { description: _exported, ...others } = original;
  return others;
}
