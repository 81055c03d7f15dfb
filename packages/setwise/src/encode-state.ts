import type { Catalog, Problem } from "@setwise/core";
import { embeddedText, embedTools, type ToolIndex } from "@setwise/retriever";
import { mergeState } from "./merge-state.ts";
import { fitSetModel } from "./open-set-model.ts";
import type { SelectorSetting, SettingOptions } from "./selector-setting.ts";
import type { SelectorState } from "./selector-state.ts";

export interface EncodeStateOptions extends Pick<SettingOptions, "signal" | "onProgress"> {
  /** A state of the same selector: where a text is the same, its vector is taken over. */
  readonly known?: SelectorState;
}

/**
 * The state with its tools encoded if there is an encoder, and without vectors if there is none, folded if that was asked for, and what the
 * encoder did not read of them among the problems.
 */
export async function encodeState(
  state: SelectorState,
  setting: SelectorSetting,
  options: EncodeStateOptions,
): Promise<SelectorState> {
  const given = await encodeTools(state, setting, options);
  const encoded =
    setting.merge === undefined
      ? given
      : await encodeTools(await mergeState(state, given.index, setting, options.signal), setting, {
          ...options,
          known: given,
        });
  if (setting.model === undefined) return encoded;
  const model = await fitSetModel(setting.model, encoded.index);
  return { ...encoded, model, problems: [...encoded.problems, ...model.problems] };
}

async function encodeTools(
  state: SelectorState,
  { encoder, cuts }: SelectorSetting,
  { known, ...options }: EncodeStateOptions,
): Promise<SelectorState> {
  if (encoder === undefined) return { ...state, index: withoutMeaning(state.index) };
  cuts.running += 1;
  try {
    const index = await embedTools(state.index, encoder, { ...options, known: known?.folded?.given ?? known?.index });
    // What another encoding at the same time heard of may be a text of this one: an encoder with a cache reads it once.
    const cutTexts = textsAmong(index.catalog, new Set([...cuts.texts, ...(known?.cutTexts ?? [])]));
    return { ...state, index, cutTexts, problems: [...state.problems, ...cutProblems(index.catalog, cutTexts)] };
  } finally {
    cuts.running -= 1;
    if (cuts.running === 0) cuts.texts.clear();
  }
}

function withoutMeaning(index: ToolIndex): ToolIndex {
  const { embeddings, ...words } = index;
  return embeddings === undefined ? index : Object.freeze(words);
}

/** Those of the texts that a tool has. */
function textsAmong({ tools }: Catalog, texts: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(texts.size === 0 ? [] : tools.map(embeddedText).filter((text) => texts.has(text)));
}

/** A problem for each tool that was cut, whether now or before an update. */
function cutProblems({ tools }: Catalog, cutTexts: ReadonlySet<string>): Problem[] {
  if (cutTexts.size === 0) return [];
  return tools
    .filter((tool) => cutTexts.has(embeddedText(tool)))
    .map(({ id }) => ({
      code: "text-cut",
      message: `Tool "${id}" is described at such length that its encoder reads only the beginning; what follows is compared by its words.`,
      toolId: id,
    }));
}
