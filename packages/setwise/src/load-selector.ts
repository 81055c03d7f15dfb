import { refuseAborted, SetwiseError, shownName } from "@setwise/core";
import { loadIndex, type ToolIndex } from "@setwise/retriever";
import { encodeState } from "./encode-state.ts";
import { existingIndexFile } from "./index-file.ts";
import { choiceOfName, type EncoderChoice } from "./open-encoder.ts";
import { type Selector, selectorOver } from "./selector.ts";
import { openSetting, type SettingOptions } from "./selector-setting.ts";
import { readAnyTools, type SelectorState } from "./selector-state.ts";

export interface LoadSelectorOptions extends SettingOptions {
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
}

/**
 * Opens what `selector.save(path)` wrote.
 *
 * @throws SetwiseError `unreadable-source`, `corrupt-file`, `unsupported-version`, `aborted`, `unknown-tool` when a saved tool is
 * not among `options.tools`, `invalid-argument` when the index was made by an encoder that has to be named, and what
 * {@link openEncoder} and {@link openReranker} throw.
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
  const { signal, onProgress } = options;
  refuseAborted(signal);
  const index = await loadIndex(file);
  const setting = await openSetting(options.encoder ?? encoderOf(index, path), options);
  const saved = withLiveTools({ index, problems: [], links: [], hosted: [], cutTexts: new Set() }, options.tools);
  const state = await encodeState(saved, setting, {
    known: saved,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  return selectorOver(state, setting);
}

function withLiveTools(saved: SelectorState, live: unknown): SelectorState {
  if (live === undefined) return saved;
  const { tools, links, hosted, problems } = readAnyTools(live);
  const originals = new Map(tools.map((tool) => [tool.id, tool.original]));
  return { ...saved, index: withOriginals(saved.index, originals), problems, links, hosted };
}

/** The encoder that a saved index was made with, where it can be told. */
function encoderOf({ embeddings }: ToolIndex, path: string): EncoderChoice {
  if (embeddings === undefined) return "none";
  const choice = choiceOfName(embeddings.encoder);
  if (choice !== undefined) return choice;
  throw new SetwiseError(
    "invalid-argument",
    `The index ${path} was made with the encoder ${shownName(embeddings.encoder)}; name that encoder again, or another one (its tools are then encoded anew), or none.`,
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
