import {
  type Catalog,
  createCatalog,
  type Encoder,
  type Problem,
  type Selection,
  SetwiseError,
  type TokenCounter,
  refuseAborted,
} from "@setwise/core";
import {
  buildIndex,
  embeddedText,
  embedTools,
  type EmbedToolsOptions,
  encodeQuery,
  saveIndex,
  type ToolIndex,
} from "@setwise/retriever";
import { type ExportedTools, exportTools, type Provider, readTools, type ToolList } from "@setwise/sources";
import { chooseTools } from "./choose-tools.ts";
import { indexFile } from "./index-file.ts";
import { type EncoderChoice, openEncoder } from "./open-encoder.ts";
import { type Message, queryText } from "./query-text.ts";
import { findTool, readConstraints, type SelectOptions } from "./select-options.ts";
import type { TextCut } from "./text-cuts.ts";
import { writeSelection } from "./write-selection.ts";

export interface SelectorOptions {
  /** Tool lists in any form that `@setwise/sources` reads, alone or mixed in an array, or what `loadTools` gave. */
  readonly tools: unknown;
  /** How meaning is compared; `static` by default. */
  readonly encoder?: EncoderChoice;
  /** Told how many of the tools are encoded, where that takes longer. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops the encoding of tools. */
  readonly signal?: AbortSignal;
  /** Counts what a definition costs a prompt; an estimate by default. */
  readonly tokenCounter?: TokenCounter;
}

/** Hands out the right set of tools for each query. */
export interface Selector {
  readonly catalog: Catalog;
  /** What was wrong with the tools and what was done about it. */
  readonly problems: readonly Problem[];
  /**
   * The tools for a query, or for the last user message of a conversation.
   *
   * @throws SetwiseError `invalid-argument`, `unknown-tool`, `impossible-constraints` or `aborted`.
   */
  select(query: string | readonly Message[], options?: SelectOptions): Promise<Selection>;
  /**
   * The chosen tools as definitions that `provider` accepts, with the way back from the name a model calls. A tool that is in
   * the provider's form already and needs no change is your own object.
   *
   * @throws SetwiseError `unknown-tool` for a selection of another selector, `invalid-argument` for an unknown provider.
   */
  export<P extends Provider>(selection: Selection, provider: P): ExportedTools<P>;
  /** Takes a new, full tool list; of two at the same time the one called last stays. On an error the old one does. */
  update(tools: unknown): Promise<void>;
  /** Writes the index into folder `path` (made if missing), aside first and then renamed. */
  save(path: string): Promise<void>;
}

/** Everything that changes together when the tools change. */
export interface SelectorState {
  /** Its tools are encoded by the selector's encoder, if it has one. */
  readonly index: ToolIndex;
  readonly problems: readonly Problem[];
  /** Hosted entries without a name of their own: handed over with every answer, never counted. */
  readonly hosted: readonly unknown[];
}

/** What stays when the tools change. */
export interface SelectorSetting {
  readonly encoder: Encoder | undefined;
  readonly tokenCounter: TokenCounter | undefined;
  /** Of the texts of tools those of which the encoder has read only the beginning. */
  readonly cutTexts: Set<string>;
}

/**
 * Reads tools, indexes them and gives a selector. No network, no key, no download, unless the encoder is an address.
 *
 * @throws SetwiseError `not-a-tool-list`, `not-a-tool`, `empty-catalog` or `aborted`, and what {@link openEncoder} throws.
 */
export async function createSelector(options: SelectorOptions): Promise<Selector> {
  if (typeof options !== "object" || options === null || !("tools" in options)) {
    throw new SetwiseError("invalid-argument", "Expected createSelector({ tools }), with tools in any form.");
  }
  const { tools, encoder: choice = "static", tokenCounter, signal, onProgress } = options;
  refuseAborted(signal);
  const read = readState(tools, tokenCounter);
  const setting = { ...(await openedEncoder(choice, signal)), tokenCounter };
  const progress = { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress }) };
  return selectorOver(await encoded(read, setting, progress), setting);
}

/** The encoder, and the tools' texts that it will have cut. */
export async function openedEncoder(
  choice: EncoderChoice,
  signal: AbortSignal | undefined,
): Promise<Pick<SelectorSetting, "encoder" | "cutTexts">> {
  const cutTexts = new Set<string>();
  const onCut = ({ text, as }: TextCut): void => void (as === "document" && cutTexts.add(text));
  return { encoder: await openEncoder(choice, { onCut, signal }), cutTexts };
}

/** A selector that starts from what is known already. */
export function selectorOver(initial: SelectorState, setting: SelectorSetting): Selector {
  const { encoder, tokenCounter } = setting;
  let state = initial;
  /** How many updates were begun, and which of them `state` is of. */
  let updates = 0;
  let shown = 0;
  return {
    get catalog() {
      return state.index.catalog;
    },
    get problems() {
      return state.problems;
    },
    async select(query, selectOptions = {}) {
      const { index, hosted } = state;
      const text = queryText(query);
      const constraints = readConstraints(index.catalog, selectOptions);
      const { signal } = selectOptions;
      refuseAborted(signal);
      const vectors =
        encoder === undefined
          ? undefined
          : await encodeQuery(index, encoder, text, signal === undefined ? {} : { signal });
      return writeSelection(index, hosted, text, chooseTools(index, text, constraints, vectors));
    },
    export(selection, provider) {
      const { catalog } = state.index;
      const chosen = selection.chosen.flatMap(({ id }) => catalog.tools[findTool(catalog, id)] ?? []);
      return exportTools(chosen, provider, { among: catalog.tools });
    },
    async update(tools) {
      const read = readState(tools, tokenCounter);
      const update = ++updates;
      const next = await encoded(read, setting, { known: state.index });
      if (update < shown) return;
      state = next;
      shown = update;
    },
    async save(path) {
      await saveIndex(state.index, await indexFile(path));
    },
  };
}

/** The state with its tools encoded if there is an encoder, and without vectors if there is none, and what it did not read of them among the problems. */
export async function encoded(
  state: SelectorState,
  { encoder, cutTexts }: SelectorSetting,
  options: EmbedToolsOptions,
): Promise<SelectorState> {
  if (encoder === undefined) return { ...state, index: withoutMeaning(state.index) };
  const index = await embedTools(state.index, encoder, options);
  return { ...state, index, problems: [...state.problems, ...cutProblems(index.catalog, cutTexts)] };
}

function withoutMeaning(index: ToolIndex): ToolIndex {
  const { embeddings, ...words } = index;
  return embeddings === undefined ? index : Object.freeze(words);
}

/** A problem for each tool that was cut, whether now or before an update; texts that no tool has any more are forgotten. */
function cutProblems({ tools }: Catalog, cutTexts: Set<string>): Problem[] {
  if (cutTexts.size === 0) return [];
  const texts = tools.map(embeddedText);
  const cut = tools.filter((_, ordinal) => cutTexts.has(texts[ordinal] ?? ""));
  const present = new Set(texts);
  for (const text of cutTexts) if (!present.has(text)) cutTexts.delete(text);
  return cut.map(({ id }) => ({
    code: "text-cut",
    message: `Tool "${id}" is described at such length that its encoder reads only the beginning; what follows is compared by its words.`,
    toolId: id,
  }));
}

function readState(input: unknown, tokenCounter: TokenCounter | undefined): SelectorState {
  const { tools, hosted, problems } = readAnyTools(input);
  if (tools.length === 0) {
    const told = problems.map((problem) => problem.message).slice(0, 3);
    throw new SetwiseError("empty-catalog", `There is no tool to choose from. ${told.join(" ")}`.trim());
  }
  const catalog = createCatalog(tools, tokenCounter === undefined ? {} : { tokenCounter });
  return { index: buildIndex(catalog), problems, hosted };
}

/** Tools in any form, or what was read already. */
export function readAnyTools(input: unknown): ToolList {
  return isToolList(input) ? input : readTools(input);
}

/** Tools that were read are frozen: a document that only looks like a list of them, unread, is not taken for one. */
function isToolList(input: unknown): input is ToolList {
  const list = input as Partial<ToolList> | null;
  return (
    [list?.tools, list?.hosted, list?.problems, list?.mcpServers].every(Array.isArray) &&
    (list?.tools ?? []).every((tool: unknown) => typeof tool === "object" && tool !== null && Object.isFrozen(tool))
  );
}
