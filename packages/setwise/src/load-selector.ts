import { type Encoder, SetwiseError, type TokenCounter } from "@setwise/core";
import { loadIndex, type ToolIndex } from "@setwise/retriever";
import { existingIndexFile } from "./index-file.ts";
import { type EncoderChoice, openEncoder, staticEncoder } from "./open-encoder.ts";
import { encoded, readAnyTools, type Selector, selectorOver } from "./selector.ts";

export interface LoadSelectorOptions {
  /**
   * The live tools the index was made from, in any form that `createSelector` takes. Functions cannot be saved, so give them
   * again to get your own objects back from `select`; without them a selection holds the saved definitions.
   */
  readonly tools?: unknown;
  /**
   * How meaning is compared; as when the index was made by default, where that was by `static`, `minilm` or `none`. With another encoder
   * than then, the tools are encoded again.
   */
  readonly encoder?: EncoderChoice;
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
  const saved = await loadIndex(file);
  const encoder = options.encoder === undefined ? await encoderOf(saved, path) : await openEncoder(options.encoder);
  const { index } = await encoded({ index: saved, problems: [], hosted: [] }, encoder, {
    known: saved,
  });
  const setting = { encoder, tokenCounter: options.tokenCounter };
  if (options.tools === undefined) return selectorOver({ index, problems: [], hosted: [] }, setting);
  const { tools, hosted, problems } = readAnyTools(options.tools);
  const originals = new Map(tools.map((tool) => [tool.id, tool.original]));
  return selectorOver({ index: withOriginals(index, originals), problems, hosted }, setting);
}

/** The encoder that a saved index was made with, where it can be told. */
async function encoderOf({ embeddings }: ToolIndex, path: string): Promise<Encoder | undefined> {
  if (embeddings === undefined) return undefined;
  const ours = await staticEncoder();
  if (embeddings.encoder.startsWith("static:")) return ours;
  if (embeddings.encoder.startsWith("joint:onnx:all-MiniLM-L6-v2:")) return openEncoder("minilm");
  throw new SetwiseError(
    "invalid-argument",
    `The index ${path} was made with the encoder ${embeddings.encoder}; name that encoder again, or another one (its tools are then encoded anew), or none.`,
    { source: path },
  );
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
