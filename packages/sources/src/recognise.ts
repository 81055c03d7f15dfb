import { aiSdk, isProviderDefined } from "./drivers/ai-sdk.ts";
import { anthropic } from "./drivers/anthropic.ts";
import { functionDeclaration } from "./drivers/gemini.ts";
import { jsonl } from "./drivers/jsonl.ts";
import { langChain } from "./drivers/langchain.ts";
import { mastra } from "./drivers/mastra.ts";
import { mcp } from "./drivers/mcp.ts";
import { openAiChat, openAiResponses } from "./drivers/openai.ts";
import { type Driver, type Entry, isEntry } from "./tool-draft.ts";

/** Drivers for a tool that carries its own name, the most telling marks first. */
const named: readonly Driver[] = [
  openAiChat,
  openAiResponses,
  jsonl,
  anthropic,
  langChain,
  functionDeclaration,
  mastra,
  mcp,
];

/** Fields of which a tool has at least one, whatever its form. */
const schemaKeys = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema", "schema", "function"] as const;

/** What Gemini runs itself: an object with one of these keys. */
const geminiHosted = new Set([
  "googleSearch",
  "google_search",
  "googleSearchRetrieval",
  "google_search_retrieval",
  "codeExecution",
  "code_execution",
  "urlContext",
  "url_context",
  "googleMaps",
  "computerUse",
  "fileSearch",
]);

/** The driver of a tool that carries its own name, if `entry` is one. */
export function driverOf(entry: Entry): Driver | undefined {
  return named.find((driver) => driver.recognises(entry));
}

/** The driver of a tool that stands in a record under its name. */
export function driverOfValue(entry: Entry): Driver | undefined {
  if (mastra.recognises(entry)) return mastra;
  // A name of its own counts where it comes with a schema; LangChain tools in a record keep theirs.
  const own = typeof entry["name"] === "string" ? driverOf(entry) : undefined;
  return own ?? (aiSdk.recognises(entry) ? aiSdk : undefined);
}

/** Whether a provider runs the tool itself: it has a type but no schema for us to rank or call. */
export function isHosted(entry: Entry): boolean {
  if (isProviderDefined(entry)) return true;
  const { type } = entry;
  if (typeof type === "string") return type !== "function" && type !== "custom" && !hasSchema(entry);
  const keys = Object.keys(entry);
  return keys.length > 0 && keys.every((key) => geminiHosted.has(key));
}

/** Whether `entry` holds further tools, and is none itself. */
export function isContainer(entry: Entry): boolean {
  return ("tools" in entry && !hasSchema(entry)) || "functionDeclarations" in entry || "function_declarations" in entry;
}

/** Whether `entry` was meant to be a tool, though no driver can read it (most often its name is missing). */
export function looksBroken(entry: Entry): boolean {
  return (
    hasSchema(entry) ||
    entry["type"] === "function" ||
    "execute" in entry ||
    ("name" in entry && "description" in entry)
  );
}

/** Whether `entry` is a record of tools keyed by name, or of lists keyed by server. */
export function isToolRecord(entry: Entry): boolean {
  const values = Object.values(entry);
  if (values.length === 0) return isPlainObject(entry);
  const telling = values.filter((value) => isRecordValue(value)).length;
  return telling > 0 && telling * 2 >= values.length;
}

/** A Map, a promise or an instance without fields is not an empty record, but a mistake. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isRecordValue(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => isEntry(item) && driverOf(item) !== undefined);
  if (!isEntry(value)) return false;
  return isProviderDefined(value) || driverOfValue(value) !== undefined || Array.isArray(value["tools"]);
}

function hasSchema(entry: Entry): boolean {
  return schemaKeys.some((field) => field in entry);
}
