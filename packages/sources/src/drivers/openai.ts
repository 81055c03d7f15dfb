import { described, type ExportedTool, otherFields } from "../exported-tool.ts";
import { type Driver, type Entry, isEntry } from "../tool-draft.ts";

/** The nested form of the Chat Completions API. */
export interface OpenAiChatTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: unknown };
}

/** The flat form of the Responses API. */
export interface OpenAiResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description?: string;
  readonly parameters: unknown;
  readonly strict: boolean | null;
}

/** `{ type: "function", function: { name, description, parameters } }`, and `custom` tools of the same shape. */
export const openAiChat: Driver = {
  format: "openai",
  recognises: (entry) => inner(entry) !== undefined,
  read: (entry) => {
    const fields = inner(entry) ?? {};
    return {
      format: "openai",
      original: entry,
      name: fields["name"],
      description: fields["description"],
      inputSchema: fields["parameters"],
    };
  },
};

/** `{ type: "function", name, description, parameters }`, and `custom` tools, which take free text. */
export const openAiResponses: Driver = {
  format: "openai-responses",
  recognises: (entry) =>
    (entry["type"] === "function" || (entry["type"] === "custom" && !("input_schema" in entry))) && "name" in entry,
  read: (entry) => ({
    format: "openai-responses",
    original: entry,
    name: entry["name"],
    description: entry["description"],
    inputSchema: entry["parameters"],
    outputSchema: entry["output_schema"],
    server: entry["namespace"],
  }),
};

function inner(entry: Entry): Entry | undefined {
  const kind = entry["type"];
  const fields = kind === "custom" ? entry["custom"] : entry["function"];
  return isEntry(fields) && "name" in fields ? fields : undefined;
}

export function writeOpenAiChat(tool: ExportedTool): OpenAiChatTool {
  const { name, inputSchema } = tool;
  return {
    type: "function",
    function: { name, ...described(tool), parameters: inputSchema },
  };
}

export function amendOpenAiChat(original: Entry, tool: ExportedTool): OpenAiChatTool {
  const fields = otherFields(inner(original) ?? {});
  return {
    ...original,
    type: "function",
    function: { ...fields, name: tool.name, ...described(tool), parameters: tool.inputSchema },
  };
}

/** `strict` is said to be false: left out, this API would take the schema as strict and refuse optional arguments. */
export function writeOpenAiResponses(tool: ExportedTool): OpenAiResponsesTool {
  const { name, inputSchema } = tool;
  return {
    type: "function",
    name,
    ...described(tool),
    parameters: inputSchema,
    strict: false,
  };
}

export function amendOpenAiResponses(original: Entry, tool: ExportedTool): OpenAiResponsesTool {
  const fields = otherFields(original);
  return {
    strict: false,
    ...fields,
    type: "function",
    name: tool.name,
    ...described(tool),
    parameters: tool.inputSchema,
  };
}
