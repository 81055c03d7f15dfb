import type { Problem, Tool } from "@setwise/core";
import type { McpServer } from "./drivers/mcp-servers.ts";

/** The forms that are recognised; `openai` is the nested chat form, `openai-responses` the flat one. */
export type ToolFormat =
  | "mcp"
  | "openapi"
  | "ai-sdk"
  | "openai"
  | "openai-responses"
  | "anthropic"
  | "gemini"
  | "langchain"
  | "mastra"
  | "jsonl";

/** What a document says of two of its tools: a part of what one gives back is an argument of the other. */
export interface ToolLink {
  /** `tool` is an id, `output` a JSON Pointer in its result; empty for the result as a whole. */
  readonly from: { readonly tool: string; readonly output: string };
  /** `input` is the argument's name, or, where that begins with a slash, a JSON Pointer to it. */
  readonly to: { readonly tool: string; readonly input: string };
}

/** What was read from any mix of forms. */
export interface ToolList {
  readonly tools: readonly Tool[];
  /** Links between them that OpenAPI documents give, each of two tools in this list. */
  readonly links: readonly ToolLink[];
  /** Entries a provider runs itself (web search, remote MCP servers), unchanged and by reference; never ranked. */
  readonly hosted: readonly unknown[];
  /** Servers named by a client configuration; they are not started here. */
  readonly mcpServers: readonly McpServer[];
  /** How many tools came in each form. */
  readonly formats: Readonly<Partial<Record<ToolFormat, number>>>;
  readonly problems: readonly Problem[];
}
