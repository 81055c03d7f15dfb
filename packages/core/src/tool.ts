import type { JsonSchema } from "./json-schema.ts";

/** What a tool says of its own effects; hints, not promises (MCP's `annotations`). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** One tool as an agent would see it, whatever format it came from. */
export interface Tool {
  /** Unique in a catalog: the name where that is unique, else the name with its server in front. */
  readonly id: string;
  /** The tool's own name, exactly as its source gives it. */
  readonly name: string;
  /** May be empty; never missing. */
  readonly description: string;
  /** The arguments, always a schema of type `object`; `{ type: "object" }` where the source gives none. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** The server, document or namespace the tool belongs to. */
  readonly server?: string;
  readonly tags?: readonly string[];
  /** The caller's own object, by reference and never touched. */
  readonly original: unknown;
}

/**
 * Of a longer description only the beginning is searched: what comes later says little of the tool and drowns its other
 * words. It is kept and handed back whole.
 */
export const SEARCHED_DESCRIPTION_CHARACTERS = 8_000;

/** A tool without the caller's object: what can be written to a file. */
export type ToolDefinition = Omit<Tool, "original">;

/** The tool without the caller's object. */
export function toolDefinition(tool: Tool): ToolDefinition {
  const { original: _original, ...definition } = tool;
  return definition;
}
