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

/** What was read from any mix of forms. */
export interface ToolList {
  readonly tools: readonly Tool[];
  /** Entries a provider runs itself (web search, remote MCP servers), unchanged and by reference; never ranked. */
  readonly hosted: readonly unknown[];
  /** Servers named by a client configuration; they are not started here. */
  readonly mcpServers: readonly McpServer[];
  /** How many tools came in each form. */
  readonly formats: Readonly<Partial<Record<ToolFormat, number>>>;
  readonly problems: readonly Problem[];
}
