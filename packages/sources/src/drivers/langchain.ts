import type { ExportedTool } from "../exported-tool.ts";
import type { Driver } from "../tool-draft.ts";

/** What LangChain.js's `bindTools` accepts without a class. */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

/** `{ name, description, schema }`: what `tool()` makes, with a Zod or JSON schema. */
export const langChain: Driver = {
  format: "langchain",
  recognises: (entry) => "name" in entry && "schema" in entry,
  read: (entry) => ({
    format: "langchain",
    original: entry,
    name: entry["name"],
    description: entry["description"],
    inputSchema: entry["schema"],
    tags: entry["tags"],
  }),
};

export function writeLangChain({ name, description, inputSchema }: ExportedTool): LangChainTool {
  return { name, description, schema: inputSchema };
}
