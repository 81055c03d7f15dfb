import { SetwiseError, type TokenCounter } from "@setwise/core";
import { loadIndex, type ToolIndex } from "@setwise/retriever";
import { existingIndexFile } from "./index-file.ts";
import { readAnyTools, type Selector, selectorOver } from "./selector.ts";

export interface LoadSelectorOptions {
  /**
   * The live tools the index was made from, in any form that `createSelector` takes. Functions cannot be saved, so give them
   * again to get your own objects back from `select`; without them a selection holds the saved definitions.
   */
  readonly tools?: unknown;
  /** Counts what a definition costs a prompt after `update`; what is saved was counted already. */
  readonly tokenCounter?: TokenCounter;
}

/**
 * Opens what `selector.save(path)` wrote.
 *
 * @throws SetwiseError `unreadable-source`, `corrupt-file`, `unsupported-version`, or `unknown-tool` when a saved tool is not
 * among `options.tools`.
 */
export async function loadSelector(path: string, options: LoadSelectorOptions = {}): Promise<Selector> {
  const file = typeof path === "string" ? await existingIndexFile(path) : undefined;
  if (file === undefined) {
    throw new SetwiseError(
      "unreadable-source",
      `${String(path)} holds no index. Make one with \`setwise index\` or \`selector.save(path)\`.`,
      { source: String(path) },
    );
  }
  const index = await loadIndex(file);
  if (options.tools === undefined) return selectorOver({ index, problems: [], hosted: [] }, options.tokenCounter);
  const { tools, hosted, problems } = readAnyTools(options.tools);
  const originals = new Map(tools.map((tool) => [tool.id, tool.original]));
  return selectorOver({ index: withOriginals(index, originals), problems, hosted }, options.tokenCounter);
}

/** The index over the same tools with the caller's own objects. */
function withOriginals(index: ToolIndex, originals: ReadonlyMap<string, unknown>): ToolIndex {
  const tools = index.catalog.tools.map((tool) => {
    if (!originals.has(tool.id)) {
      throw new SetwiseError(
        "unknown-tool",
        `The index has a tool "${tool.id}" that is not among the tools given. Give the tools it was made from, or make it again.`,
        {
          toolId: tool.id,
        },
      );
    }
    return { ...tool, original: originals.get(tool.id) };
  });
  return { ...index, catalog: Object.freeze({ ...index.catalog, tools: Object.freeze(tools) }) };
}
