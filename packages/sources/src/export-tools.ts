import { type JsonSchema, type Problem, SetwiseError, type Tool } from "@setwise/core";
import { type AiSdkTool, aiSdk, amendAiSdk, writeAiSdk } from "./drivers/ai-sdk.ts";
import { amendAnthropic, anthropic, type AnthropicTool, writeAnthropic } from "./drivers/anthropic.ts";
import { type GeminiFunctionDeclaration, writeGemini } from "./drivers/gemini.ts";
import { jsonl, type JsonlTool, writeJsonl } from "./drivers/jsonl.ts";
import { langChain, type LangChainTool, writeLangChain } from "./drivers/langchain.ts";
import { amendMcp, mcp, type McpTool, writeMcp } from "./drivers/mcp.ts";
import {
  amendOpenAiChat,
  amendOpenAiResponses,
  openAiChat,
  type OpenAiChatTool,
  openAiResponses,
  type OpenAiResponsesTool,
  writeOpenAiChat,
  writeOpenAiResponses,
} from "./drivers/openai.ts";
import type { ExportedTool } from "./exported-tool.ts";
import { providerNames } from "./provider-names.ts";
import { type Provider, type ProviderRules, providerRules, providers } from "./provider-rules.ts";
import { providerSchema } from "./provider-schema.ts";
import { setOwn } from "./schema-keywords.ts";
import { kindOf, quote } from "./show.ts";
import { driverOf, driverOfValue } from "./recognise.ts";
import { type Driver, type Entry, isEntry } from "./tool-draft.ts";
import { isVendorSchema } from "./vendor-schema.ts";

/** What each provider is given. */
export interface ProviderDefinitions {
  readonly openai: readonly OpenAiChatTool[];
  readonly "openai-responses": readonly OpenAiResponsesTool[];
  readonly anthropic: readonly AnthropicTool[];
  /** For `tools: [{ functionDeclarations: definitions }]`. */
  readonly gemini: readonly GeminiFunctionDeclaration[];
  readonly mcp: readonly McpTool[];
  /** A record keyed by exported name. */
  readonly "ai-sdk": Readonly<Record<string, AiSdkTool>>;
  readonly langchain: readonly LangChainTool[];
  readonly jsonl: readonly JsonlTool[];
}

export interface ExportedTools<P extends Provider = Provider> {
  readonly definitions: ProviderDefinitions[P];
  /** The tool behind the name a model called (for `jsonl`: the id), or `undefined` if that name was not exported. */
  toolOf(exportedName: string): Tool | undefined;
  /** The name (for `jsonl`: the id) under which `tool` was exported, or `undefined` if it was not. */
  nameOf(tool: Tool): string | undefined;
  /** What a model gave a tool, under the argument names the tool knows; the very object where no argument was renamed. */
  argumentsOf(exportedName: string, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** One note for each tool that had to be changed, and the provider's limits that are passed. */
  readonly problems: readonly Problem[];
}

export interface ExportToolsOptions {
  /**
   * The catalog that `tools` are a part of: names are distinct among all of it, so that a tool keeps its name from one
   * selection to the next. `tools` themselves by default.
   */
  readonly among?: readonly Tool[];
}

interface Writer {
  /** The form whose own objects are given back as they are when nothing has to change. */
  readonly driver: Driver | undefined;
  write(tool: ExportedTool): unknown;
  /** The caller's object with the name and schema exchanged, so that its other fields live on. */
  amend?(original: Entry, tool: ExportedTool): unknown;
}

const writers: Readonly<Record<Provider, Writer>> = {
  openai: { driver: openAiChat, write: writeOpenAiChat, amend: amendOpenAiChat },
  "openai-responses": { driver: openAiResponses, write: writeOpenAiResponses, amend: amendOpenAiResponses },
  anthropic: { driver: anthropic, write: writeAnthropic, amend: amendAnthropic },
  gemini: { driver: undefined, write: writeGemini },
  mcp: { driver: mcp, write: writeMcp, amend: amendMcp },
  "ai-sdk": { driver: aiSdk, write: writeAiSdk, amend: amendAiSdk },
  langchain: { driver: langChain, write: writeLangChain },
  jsonl: { driver: jsonl, write: writeJsonl },
};

/**
 * Definitions that `provider` accepts, in the order given. Names are distinct, depend only on server and name, and lead
 * back to their tool; schemas are relaxed only where the provider would refuse them. A tool that is already in the
 * provider's form and needs no change is the caller's own object.
 *
 * @throws SetwiseError `invalid-argument` for an unknown provider, or for what is not what `readTools` gave.
 */
export function exportTools<P extends Provider>(
  tools: readonly Tool[],
  provider: P,
  options: ExportToolsOptions = {},
): ExportedTools<P> {
  if (!providers.includes(provider)) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected a provider out of ${providers.join(", ")}, found ${kindOf(provider)}.`,
    );
  }
  const rules = providerRules[provider];
  const foreign = tools.findIndex((tool) => !isTool(tool));
  if (foreign >= 0) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected tools as readTools gives them, found ${kindOf(tools[foreign])} at ${foreign}. Read the caller's own objects first, or use selector.export.`,
      { position: foreign },
    );
  }
  const names = namesAmong(tools, options.among ?? tools, rules);
  const problems: Problem[] = limitsPassed(tools, provider, rules);
  const renamedArguments = new Map<string, ReadonlyMap<string, string>>();
  const definitions = tools.map((tool, position) => {
    const name = names[position] ?? tool.name;
    const { schema, changes, argumentNames } = providerSchema(tool.inputSchema, rules);
    if (argumentNames !== undefined) renamedArguments.set(name, argumentNames);
    problems.push(...changesOf(tool, provider, name, changes));
    return define(tool, name, schema, writers[provider]);
  });
  // Where any name will do, names may be alike; there the id is what leads back.
  const keys = rules.nameCharacters === undefined ? tools.map((tool) => tool.id) : names;
  const byKey = new Map(keys.map((key, position) => [key, tools[position]]));
  const keyById = new Map(keys.map((key, position) => [tools[position]?.id, key]));
  const result =
    provider === "ai-sdk"
      ? Object.fromEntries(names.map((name, position) => [name, definitions[position]]))
      : definitions;
  return {
    definitions: result as unknown as ProviderDefinitions[P],
    toolOf: (exportedName) => byKey.get(exportedName),
    nameOf: (tool) => keyById.get(tool.id),
    argumentsOf: (exportedName, given) => withOwnNames(given, renamedArguments.get(exportedName)),
    problems,
  };
}

function isTool(value: unknown): value is Tool {
  return (
    isEntry(value) &&
    typeof value["id"] === "string" &&
    typeof value["name"] === "string" &&
    isEntry(value["inputSchema"])
  );
}

/** Names of `tools`, distinct among all of `among`. */
function namesAmong(tools: readonly Tool[], among: readonly Tool[], rules: ProviderRules): string[] {
  const names = providerNames(among, rules);
  if (among === tools) return names;
  const byId = new Map(among.map((tool, position) => [tool.id, names[position]]));
  return tools.map((tool) => byId.get(tool.id) ?? tool.name);
}

function withOwnNames(
  given: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string> | undefined,
): Readonly<Record<string, unknown>> {
  if (names === undefined) return given;
  const own: Record<string, unknown> = {};
  for (const name of Object.keys(given)) setOwn(own, names.get(name) ?? name, given[name]);
  return own;
}

function define(tool: Tool, name: string, inputSchema: JsonSchema, writer: Writer): unknown {
  const { original, ...definition } = tool;
  const exported: ExportedTool = { ...definition, name, inputSchema };
  if (!isEntry(original) || !isOfForm(original, writer.driver)) return writer.write(exported);
  const isUnchanged =
    (name === tool.name || writer.driver === aiSdk) && isSameContent(original, exported, tool, writer);
  if (isUnchanged) return original;
  return writer.amend === undefined ? writer.write(exported) : writer.amend(original, exported);
}

function isOfForm(original: Entry, driver: Driver | undefined): boolean {
  if (driver === undefined) return false;
  try {
    return (driver === aiSdk ? driverOfValue(original) : driverOf(original)) === driver;
  } catch {
    return false;
  }
}

/** Whether the original already says what is exported: not if it was mended when read, or relaxed now. */
function isSameContent(original: Entry, exported: ExportedTool, tool: Tool, writer: Writer): boolean {
  const draft = writer.driver?.read(original);
  const { description, inputSchema: given } = draft ?? {};
  if (description !== undefined && typeof description !== "string" && typeof description !== "function") return false;
  if (given === exported.inputSchema) return true;
  // OpenAI's functions may leave their schema out, and its custom tools have none.
  if (given === undefined) return writer.driver === openAiChat || writer.driver === openAiResponses;
  return exported.inputSchema === tool.inputSchema && isVendorSchema(given);
}

function changesOf(tool: Tool, provider: Provider, name: string, changes: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  if (name !== tool.name) {
    problems.push({
      code: "name-changed",
      message: `The tool ${quote(tool.name)} is called ${quote(name)} for ${provider}.`,
      toolId: tool.id,
    });
  }
  if (changes.length > 0) {
    problems.push({
      code: "schema-relaxed",
      message: `The schema of ${quote(tool.name)} was relaxed for ${provider}: ${changes.join("; ")}. The original is kept.`,
      toolId: tool.id,
    });
  }
  return problems;
}

/** Limits that an export cannot mend by itself. */
function limitsPassed(tools: readonly Tool[], provider: Provider, rules: ProviderRules): Problem[] {
  const problems: Problem[] = [];
  if (tools.length > rules.maxTools) {
    problems.push({
      code: "provider-limit",
      message: `${provider} takes at most ${rules.maxTools} tools in a request; these are ${tools.length}. Select fewer.`,
    });
  }
  for (const tool of tools) {
    if (tool.description.length > rules.maxDescription) {
      problems.push({
        code: "provider-limit",
        message: `The description of ${quote(tool.name)} has ${tool.description.length} characters; ${provider} may take only ${rules.maxDescription}.`,
        toolId: tool.id,
      });
    }
  }
  return problems;
}
