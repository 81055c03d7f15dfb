import { type Catalog, type Encoder, type Problem, refuseAborted, type Selection, SetwiseError } from "@setwise/core";
import { saveIndex } from "@setwise/retriever";
import type { LoggedQuery } from "@setwise/set-scorer";
import type { MergedCatalog, ResolvedCall, ResolveOptions, ToolCall } from "@setwise/merger";
import { type ExportedTools, exportTools, type Provider } from "@setwise/sources";
import { chooseTools } from "./choose-tools.ts";
import { encodeState } from "./encode-state.ts";
import { findCandidates } from "./find-candidates.ts";
import { freeGraph, type GraphKeeper } from "./graph-keeper.ts";
import { indexFile } from "./index-file.ts";
import { type Message, queryText } from "./query-text.ts";
import { resolveCall, withNewIds } from "./resolve-call.ts";
import { findTool, readConstraints, type SelectOptions } from "./select-options.ts";
import type { SelectorSetting } from "./selector-setting.ts";
import type { PlanOptions, QueryPlan } from "./plan-query.ts";
import { readState, type SelectorState } from "./selector-state.ts";
import { StatesInUse } from "./states-in-use.ts";
import type { TrainedModel, TrainOptions } from "./train-from-log.ts";
import { userWords } from "./user-words.ts";
import { writeSelection } from "./write-selection.ts";

/** Hands out the right set of tools for each query. */
export interface Selector {
  readonly catalog: Catalog;
  /** How it compares meaning; `undefined` where it compares words only. */
  readonly encoder: Encoder | undefined;
  /** What was wrong with the tools and what was done about it, and whether a re-ranker has cut what it read so far. */
  readonly problems: readonly Problem[];
  /**
   * The tools for a query, or for the last user message of a conversation.
   *
   * @throws SetwiseError `invalid-argument`, `unknown-tool`, `impossible-constraints` or `aborted`, and what a re-ranker's folder is
   * refused with, which is opened by the first call.
   */
  select(query: string | readonly Message[], options?: SelectOptions): Promise<Selection>;
  /**
   * What to call, in which order, for a query or the last user message of a conversation: its sub-tasks, a tool for each, the tools that bring
   * what those need, and what is missing. Nothing is called.
   *
   * @throws SetwiseError `invalid-argument`, `unknown-tool` or `aborted`.
   */
  plan(query: string | readonly Message[], options?: PlanOptions): Promise<QueryPlan>;
  /**
   * The chosen tools as definitions that `provider` accepts, with the way back from the name a model calls. A tool that is in
   * the provider's form already and needs no change is your own object.
   *
   * @throws SetwiseError `unknown-tool` for a selection of another selector, `invalid-argument` for an unknown provider.
   */
  export<P extends Provider>(selection: Selection, provider: P): ExportedTools<P>;
  /** How tools were folded, with the reasons; `undefined` without `merge`. */
  readonly merged: MergedCatalog | undefined;
  /**
   * The call that is to be made for a call of a tool that was handed out, by its id or, where only one has it, its name: of a tool that stands for
   * several that of the member which takes the arguments, with the arguments as the member names them; of any other its own. Where no member
   * takes them the answer says what each needs.
   *
   * @throws SetwiseError `unknown-tool`.
   */
  resolve(call: ToolCall, options?: ResolveOptions): ResolvedCall;
  /** Takes a new, full tool list; of two at the same time the one called last stays. On an error the old one does. */
  update(tools: unknown): Promise<void>;
  /**
   * Writes the index into folder `path` (made if missing), aside first and then renamed. Of folded tools it holds what they were made of;
   * `loadSelector` folds them again if it is told to.
   */
  save(path: string): Promise<void>;
  /**
   * Learns from a log of requests and the tools that served them which belong together; see `trainSetModel` of `@setwise/set-scorer`. Give what comes out
   * as `model` to `createSelector`, or write it with `saveSetModel`.
   *
   * @throws SetwiseError `invalid-argument` without an encoder or for a log of which nothing can be used, `aborted`.
   */
  train(log: readonly LoggedQuery[], options?: TrainOptions): Promise<TrainedModel>;
  /**
   * Frees the model of a re-ranker's folder, and what a set model and plans hold of native memory once running calls are done; `select` fails
   * with `invalid-argument` afterwards if it needs a model.
   */
  close(): Promise<void>;
}

/** A selector that starts from what is known already. */
export function selectorOver(initial: SelectorState, setting: SelectorSetting): Selector {
  let state = initial;
  const states = new StatesInUse();
  const graphs: GraphKeeper = { edges: setting.edges };
  /** How many updates were begun, and which of them `state` is of. */
  let updates = 0;
  let shown = 0;
  return {
    get catalog() {
      return state.index.catalog;
    },
    encoder: setting.encoder,
    get problems() {
      return [...state.problems, ...(setting.reranker?.problems ?? [])];
    },
    async select(query, selectOptions = {}) {
      const held = state;
      const { index, hosted, model, folded } = held;
      const text = queryText(query);
      const constraints = readConstraints(index.catalog, withNewIds(folded?.merged, selectOptions));
      if (constraints.policy !== undefined && model?.scorer !== undefined) throw policyBesideModel();
      const { signal } = selectOptions;
      refuseAborted(signal);
      const found = await states.using(held, () =>
        findCandidates(index, text, constraints, { ...setting, signal, model }),
      );
      const choices = chooseTools(index, text, constraints, found);
      if (!constraints.addsSupport) return writeSelection(index, hosted, text, choices);
      const { addSupport } = await import("./add-support.ts");
      const { toolGraph } = await import("./tool-graph.ts");
      const { graph } = await toolGraph(graphs, held, setting.encoder, signal);
      return writeSelection(index, hosted, text, addSupport({ index, graph, said: userWords(query) }, choices));
    },
    async plan(query, planOptions = {}) {
      const { planQuery } = await import("./plan-query.ts");
      const held = state;
      const { encoder, calibration } = setting;
      const known = withNewIds(held.folded?.merged, planOptions);
      return states.using(held, () => planQuery({ state: held, encoder, calibration, graphs }, query, known));
    },
    export(selection, provider) {
      const { catalog } = state.index;
      const chosen = selection.chosen.flatMap(({ id }) => catalog.tools[findTool(catalog, id)] ?? []);
      return exportTools(chosen, provider, { among: catalog.tools });
    },
    get merged() {
      return state.folded?.merged;
    },
    resolve: (call, options) => resolveCall(state.index.catalog, state.folded?.merged, call, options),
    async update(tools) {
      const read = readState(tools, setting.tokenCounter);
      const update = ++updates;
      const next = await encodeState(read, setting, { known: state });
      if (update < shown) {
        states.retire(next);
        return;
      }
      const before = state;
      state = next;
      shown = update;
      states.retire(before);
      await freeGraph(graphs);
    },
    async save(path) {
      await saveIndex(state.folded?.given ?? state.index, await indexFile(path));
    },
    async train(log, trainOptions = {}) {
      const { checkLog } = await import("@setwise/set-scorer");
      checkLog(log);
      const { trainFromLog } = await import("./train-from-log.ts");
      const { index, folded } = state;
      const known = log.map((query) => withNewIds(folded?.merged, query));
      return trainFromLog(index, setting.encoder, known, trainOptions);
    },
    async close() {
      states.retire(state);
      await freeGraph(graphs);
      await setting.reranker?.close();
    },
  };
}

function policyBesideModel(): SetwiseError {
  return new SetwiseError(
    "invalid-argument",
    "A policy cuts a list of scores, but the set model scores whole sets; leave out the policy, or open the selector without the model.",
  );
}
