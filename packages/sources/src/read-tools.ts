import { SetwiseError } from "@setwise/core";
import { completeTools } from "./complete-tools.ts";
import { readContainer } from "./read-container.ts";
import { kindOf } from "./show.ts";
import { type Reading, report, type SchemaConverter } from "./tool-draft.ts";
import type { ToolList } from "./tool-list.ts";

export interface ReadToolsOptions {
  /** The file or address it came from, for messages. */
  readonly source?: string;
  /** The server the tools belong to, where the input itself does not say. */
  readonly server?: string;
  /** Converts schemas that cannot export JSON Schema by themselves (Zod Mini: `z.toJSONSchema`). */
  readonly toJsonSchema?: SchemaConverter;
}

/**
 * Reads tools from any mix of known forms: one tool, an array, a record keyed by name or by server, `tools/list` pages, an
 * OpenAPI document, a client configuration, or an array of these. The form is recognised. A broken tool is mended or left
 * out with a problem.
 *
 * @throws SetwiseError `not-a-tool-list` when nothing in it is known, `not-a-tool` (with `position`) when the caller's own
 * array holds something that is no object.
 */
export function readTools(input: unknown, options: ReadToolsOptions = {}): ToolList {
  const reading: Reading = {
    source: options.source,
    toJsonSchema: options.toJsonSchema,
    found: [],
    links: [],
    hosted: [],
    mcpServers: [],
    problems: [],
  };
  if (!readContainer(input, options.server, reading)) throw notAToolList(input, options.source);
  const { tools, links, formats } = completeTools(reading);
  if (tools.length === 0 && reading.hosted.length === 0 && reading.mcpServers.length === 0) {
    report(reading, "empty-list", `There is no usable tool in ${options.source ?? kindOf(input)}.`);
  }
  const { hosted, mcpServers, problems } = reading;
  return { tools, links, hosted, mcpServers, formats, problems };
}

function notAToolList(input: unknown, source: string | undefined): SetwiseError {
  const where = source === undefined ? "" : `${source}: `;
  const hint = typeof input === "string" && source === undefined ? " A text is read by parseToolText first." : "";
  return new SetwiseError(
    "not-a-tool-list",
    `${where}Expected tools (an MCP tools/list result, an OpenAPI or Swagger document, tools for the OpenAI, Anthropic or Gemini API, an AI SDK, LangChain or Mastra tool list, tools.jsonl, or a client configuration with mcpServers), found ${kindOf(input)}.${hint}`,
    source === undefined ? {} : { source },
  );
}
