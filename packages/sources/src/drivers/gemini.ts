import type { ExportedTool } from "../exported-tool.ts";
import type { Driver } from "../tool-draft.ts";

/** One of Gemini's `functionDeclarations`; `parameters` is left out where a tool takes none, as Gemini wants it. */
export interface GeminiFunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters?: unknown;
}

/** `{ name, description, parameters | parametersJsonSchema }`, also OpenAI's old `functions`. */
export const functionDeclaration: Driver = {
  format: "gemini",
  recognises: (entry) => "name" in entry && ("parameters" in entry || "parametersJsonSchema" in entry),
  read: (entry) => ({
    format: "gemini",
    original: entry,
    name: entry["name"],
    description: entry["description"],
    inputSchema: entry["parametersJsonSchema"] ?? entry["parameters"],
    outputSchema: entry["responseJsonSchema"],
  }),
};

export function writeGemini({ name, description, inputSchema }: ExportedTool): GeminiFunctionDeclaration {
  const { properties } = inputSchema;
  const takesNone = typeof properties !== "object" || properties === null || Object.keys(properties).length === 0;
  return takesNone ? { name, description } : { name, description, parameters: inputSchema };
}
