import { described, type ExportedTool } from "../exported-tool.ts";
import { aiSdkMarker } from "../vendor-schema.ts";
import { type Driver, type Entry, isEntry } from "../tool-draft.ts";

/** A tool of the AI SDK without `execute`, its schema wrapped as `jsonSchema()` does. */
export interface AiSdkTool {
  readonly description?: string;
  readonly inputSchema: { readonly jsonSchema: unknown };
}

const validatorMarker = Symbol.for("vercel.ai.validator");

/** A tool in a record keyed by name: `tool({ description, inputSchema })`, `dynamicTool(…)`, `parameters` before version 5. */
export const aiSdk: Driver = {
  format: "ai-sdk",
  recognises: (entry) => "inputSchema" in entry || "parameters" in entry || "execute" in entry,
  read: (entry) => ({
    format: "ai-sdk",
    original: entry,
    name: entry["name"],
    description: entry["description"],
    inputSchema: entry["inputSchema"] ?? entry["parameters"],
    outputSchema: entry["outputSchema"],
    title: entry["title"],
  }),
};

/** The record the AI SDK takes: exported name to tool. Plain objects that carry its marks; the SDK itself is not loaded. */
export function writeAiSdk(tool: ExportedTool): AiSdkTool {
  return { ...described(tool), inputSchema: wrapped(tool.inputSchema) };
}

export function amendAiSdk(original: Entry, tool: ExportedTool): AiSdkTool {
  // A prototype (class instances) is kept, so that `execute` still finds its `this`.
  return Object.assign(Object.create(Object.getPrototypeOf(original)) as object, original, {
    inputSchema: wrapped(tool.inputSchema),
  });
}

function wrapped(jsonSchema: unknown): { readonly jsonSchema: unknown } {
  return Object.assign({ jsonSchema, validate: undefined }, { [aiSdkMarker]: true, [validatorMarker]: true });
}

/** Whether an AI SDK entry is run by the provider (`openai.tools.webSearch()`): those are passed through. */
export function isProviderDefined(entry: Entry): boolean {
  const { type } = entry;
  return type === "provider" || type === "provider-defined" || (type === "provider-executed" && isEntry(entry["args"]));
}
