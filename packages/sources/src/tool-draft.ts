import type { Problem, ProblemCode } from "@setwise/core";
import type { McpServer } from "./drivers/mcp-servers.ts";
import type { ToolFormat } from "./tool-list.ts";

/** An object of unknown shape, as it stands in a list. */
export type Entry = Readonly<Record<string, unknown>>;

/** Whether `value` is an object, and no list. */
export function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A tool as a driver found it: fields picked out, nothing checked yet. */
export interface ToolDraft {
  readonly format: ToolFormat;
  readonly original: unknown;
  readonly name: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  readonly title?: unknown;
  readonly server?: unknown;
  readonly tags?: unknown;
  /** Whether the form asks for a schema, so that a missing one is worth a note. */
  readonly needsSchema?: boolean;
}

/** Reads one form of a single tool. */
export interface Driver {
  readonly format: ToolFormat;
  /** Whether a lone object is a tool of this form. Cheap; may throw if the object's getters do. */
  recognises(entry: Entry): boolean;
  read(entry: Entry): ToolDraft;
}

/** Turns a vendor's schema object into JSON Schema, as `z.toJSONSchema` does. */
export type SchemaConverter = (schema: never) => unknown;

/** Something worth a note on a tool: what was found and what was done about it. */
export interface Note {
  readonly code: ProblemCode;
  readonly message: string;
}

/** A link between two tools by their places in `found`, since they have no ids yet. */
export interface FoundLink {
  readonly from: number;
  readonly output: string;
  readonly to: number;
  readonly input: string;
}

/** Everything gathered while one input is read. */
export interface Reading {
  readonly source: string | undefined;
  readonly toJsonSchema: SchemaConverter | undefined;
  readonly found: {
    readonly draft: ToolDraft;
    readonly server: string | undefined;
    readonly position: number | undefined;
  }[];
  readonly links: FoundLink[];
  readonly hosted: unknown[];
  readonly mcpServers: McpServer[];
  readonly problems: Problem[];
}

/** Adds a problem, with the reading's source. */
export function report(reading: Reading, code: ProblemCode, message: string, position?: number, toolId?: string): void {
  reading.problems.push({
    code,
    message,
    ...(reading.source === undefined ? {} : { source: reading.source }),
    ...(toolId === undefined ? {} : { toolId }),
    ...(position === undefined ? {} : { position }),
  });
}
