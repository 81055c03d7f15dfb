import { type Candidates, SetwiseError } from "@setwise/core";
import { type CollectedCall, collectCalls } from "./collect-calls.ts";
import { broughtBy } from "./created-things.ts";
import { withoutHarm } from "./destroying-tools.ts";
import type { DeficitExpansion, SupportSubgraph } from "./expand-deficit.ts";
import { nodesOf, type ToolHypergraph } from "./hypergraph.ts";
import { valueShelf } from "./input-values.ts";
import { keepsItsPlace, orderCalls } from "./order-calls.ts";
import { pickTerminals } from "./pick-terminals.ts";
import type { PlannedCall } from "./planned-call.ts";
import { queryValues } from "./query-values.ts";
import { availableNodes, changingTools } from "./request-bindings.ts";
import { sourceInputs } from "./source-inputs.ts";

/** A part of the request with the tools that may serve it, best first. */
export interface SubTaskCandidates extends Candidates {
  readonly goal: string;
}

/** What is to be done, and with what. Tools are catalog ordinals. */
export interface PlanRequest {
  /** The request as the user put it. */
  readonly query: string;
  /** All that the user said so far, where that is more: values are taken from here. Default: the query. */
  readonly said?: string;
  /** In the order in which they were asked for, at most 64. One without candidates is planned without a tool. */
  readonly subTasks: readonly SubTaskCandidates[];
  /** One number a tool, 0 or more: how well it fits the whole request. Default: 1 for all. */
  readonly relevance?: Float32Array;
  /** The only tools that may be added to bring what others need. Default: all. */
  readonly allow?: Uint32Array;
  /** Tools that may not be added. Default: none. */
  readonly exclude?: Uint32Array;
  /** Whether a tool that changes something may be added only because it gives back what another needs. Default: no. */
  readonly allowMutating?: boolean;
}

/** Each sub-task is compared with the others; nobody asks for more in one request. */
const MOST_PLANNED_TASKS = 64;

/** What a run that is under way has settled already. */
export interface Progress {
  /** Calls that were made; they keep their places. */
  readonly made: readonly PlannedCall[];
  /** By place in `made`: whether its result may serve further calls. */
  readonly serves: readonly boolean[];
  /** By sub-task: its tools, best first, that are still to be tried; none where it is settled. */
  readonly open: readonly Uint32Array[];
  /** Inputs, as node ordinals, whose values the user has said. */
  readonly given: Uint32Array;
  /** Tools that failed. */
  readonly failed: Uint32Array;
}

/**
 * The calls of a request in call order, those that were made first.
 *
 * @throws SetwiseError `invalid-argument`, see `planTools`.
 */
export function planCalls(
  expansion: DeficitExpansion,
  request: PlanRequest,
  progress?: Progress,
): readonly PlannedCall[] {
  const { graph } = expansion;
  checkRequest(graph, request);
  const { query, said = query, subTasks } = request;
  const shelf = valueShelf(said, queryValues(said));
  const grounded = Uint32Array.from([...availableNodes(graph, shelf), ...(progress?.given ?? [])]);
  const found = supportOf(expansion, request, grounded, progress);
  const made = (progress?.made ?? []).map(({ tool, subTask, isTerminal }, place) => ({
    tool,
    subTask,
    isTerminal,
    takes: [],
    serves: progress?.serves[place] ?? false,
  }));
  const ordered = orderCalls(graph, collectCalls(graph, found, made), made.length);
  const goals = subTasks.map(({ goal }) => goal);
  const calls: PlannedCall[] = [...(progress?.made ?? [])];
  for (const [place, { tool, subTask, isTerminal }] of ordered.entries()) {
    if (place < made.length) continue;
    const inputs = sourceInputs(
      { graph, calls: ordered, shelf, goals, serves: progress?.serves, given: progress?.given },
      place,
    );
    calls.push({ tool, subTask, isTerminal, inputs, after: waitsOf(graph, ordered, calls, inputs, progress?.serves) });
  }
  return calls;
}

function checkRequest({ catalog }: ToolHypergraph, { relevance, subTasks }: PlanRequest): void {
  const tools = catalog.tools.length;
  if (relevance !== undefined && relevance.length !== tools) {
    throw new SetwiseError(
      "invalid-argument",
      `relevance must hold one number for each of the ${tools} tools, but holds ${relevance.length}.`,
    );
  }
  if (subTasks.length > MOST_PLANNED_TASKS) {
    throw new SetwiseError(
      "invalid-argument",
      `A plan takes at most ${MOST_PLANNED_TASKS} sub-tasks, but there are ${subTasks.length}. Plan them in several requests.`,
    );
  }
  for (const { ids } of subTasks) {
    const wrong = ids.find((id) => id >= tools);
    if (wrong === undefined) continue;
    throw new SetwiseError(
      "invalid-argument",
      `Candidates must be ordinals of the graph's catalog, below ${tools}, but one is ${wrong}.`,
    );
  }
}

/** The support subgraph of each open sub-task's best tool. */
function supportOf(
  expansion: DeficitExpansion,
  { subTasks, relevance, allow, exclude, allowMutating = false }: PlanRequest,
  grounded: Uint32Array,
  progress: Progress | undefined,
): readonly (SupportSubgraph | undefined)[] {
  const refused = allowMutating ? [] : changingTools(expansion.graph);
  const further = {
    exclude: Uint32Array.from(new Set([...(exclude ?? []), ...refused, ...(progress?.failed ?? [])])),
    count: 1,
    ...(relevance === undefined ? {} : { relevance }),
    ...(allow === undefined ? {} : { allow }),
  };
  const { graph } = expansion;
  const tasks = subTasks.map((task) => withoutHarm(task, graph.catalog));
  const before: number[] = [];
  return pickTerminals(tasks).map((ids, task) => {
    const open = progress === undefined ? ids : ids.filter((tool) => progress.open[task]?.includes(tool) === true);
    const made = progress?.made.find(
      (call, place) => call.subTask === task && call.isTerminal && progress.serves[place] === true,
    );
    const terminal = open[0];
    const brought =
      terminal === undefined
        ? []
        : nodesOf(graph, terminal, "takes").filter((input) =>
            before.some((earlier) => broughtBy(graph, earlier, input, tasks[task]?.goal ?? "") !== undefined),
          );
    before.push(...[made?.tool ?? terminal].filter((tool) => tool !== undefined));
    if (terminal === undefined) return undefined;
    const known = Uint32Array.from([...grounded, ...brought]);
    return expansion.expand({ ...further, grounded: known, terminals: Uint32Array.of(terminal) })[0];
  });
}

/** What the next call waits for: what it takes values from, and calls of earlier sub-tasks where one of the two changes something. */
function waitsOf(
  graph: ToolHypergraph,
  ordered: readonly CollectedCall[],
  calls: readonly PlannedCall[],
  inputs: PlannedCall["inputs"],
  serves: readonly boolean[] = [],
): PlannedCall["after"] {
  const place = calls.length;
  const waits = new Map<number, PlannedCall["after"][number]>();
  for (const { input, source } of inputs) {
    if (source.kind !== "call") continue;
    const kind = graph.nodes[input]?.kind === "pre" ? "effect" : "data";
    if (waits.get(source.call)?.kind !== "data") waits.set(source.call, { call: source.call, kind });
  }
  const reached = new Set<number>();
  for (let earlier = place - 1; earlier >= 0; earlier--) {
    const call = ordered[earlier];
    const own = ordered[place];
    if (call === undefined || own === undefined || serves[earlier] === false) continue;
    const isMeant = call.subTask !== own.subTask && keepsItsPlace(graph, call.tool, own.tool);
    if (isMeant && !reached.has(earlier) && !waits.has(earlier)) waits.set(earlier, { call: earlier, kind: "order" });
    if (waits.has(earlier) || reached.has(earlier))
      for (const before of calls[earlier]?.after ?? []) reached.add(before.call);
  }
  return [...waits.values()].sort((a, b) => a.call - b.call);
}
