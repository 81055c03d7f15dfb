import { createHash } from "node:crypto";
import { SetwiseError } from "./errors.ts";
import type { TokenCounter } from "./ports.ts";
import { tokenEstimate } from "./token-estimate.ts";
import type { Tool } from "./tool.ts";

/** A frozen list of tools. From here on a tool is its ordinal, until an answer is written. */
export interface Catalog {
  readonly tools: readonly Tool[];
  /** What each tool's definition costs a prompt, by ordinal. */
  readonly tokens: Uint32Array;
  /** SHA-256 (hex) over all definitions in order: same tools, same revision. */
  readonly revision: string;
  /** The tool's ordinal, or `undefined` if no tool has that id. */
  ordinalOf(id: string): number | undefined;
}

export interface CatalogOptions {
  /** Counts the tokens of a definition's JSON; an estimate by default. */
  readonly tokenCounter?: TokenCounter;
}

/**
 * Freezes `tools` into a catalog.
 *
 * @throws SetwiseError `duplicate-tool` when two tools have one id, `invalid-argument` when a schema is cyclic or too deep to
 * be written as JSON (`readTools` mends both).
 */
export function createCatalog(tools: readonly Tool[], options: CatalogOptions = {}): Catalog {
  const counter = options.tokenCounter ?? tokenEstimate;
  const ordinals = new Map<string, number>();
  const tokens = new Uint32Array(tools.length);
  const hash = createHash("sha256");
  for (const [ordinal, tool] of tools.entries()) {
    if (ordinals.has(tool.id)) {
      throw new SetwiseError(
        "duplicate-tool",
        `Tool ids must be distinct in a catalog, but "${tool.id}" occurs twice.`,
        {
          toolId: tool.id,
        },
      );
    }
    ordinals.set(tool.id, ordinal);
    const prompt = promptText(tool);
    tokens[ordinal] = counter.count(prompt);
    const { name: _name, description: _description, inputSchema: _inputSchema, original: _original, ...rest } = tool;
    hash.update(prompt).update(json(rest, tool.id)).update("\n");
  }
  return Object.freeze({
    tools: Object.freeze([...tools]),
    tokens,
    revision: hash.digest("hex"),
    ordinalOf: (id: string) => ordinals.get(id),
  });
}

/** What a provider puts into the prompt for a tool: name, description and argument schema. */
function promptText(tool: Tool): string {
  return json({ name: tool.name, description: tool.description, parameters: tool.inputSchema }, tool.id);
}

function json(value: object, toolId: string): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new SetwiseError(
      "invalid-argument",
      `The tool "${toolId}" has a schema that is cyclic or too deep to be written as JSON. Read the tools with readTools, which mends it.`,
      { toolId, cause },
    );
  }
}
