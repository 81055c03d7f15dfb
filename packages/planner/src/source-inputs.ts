import type { CollectedCall } from "./collect-calls.ts";
import { broughtBy } from "./created-things.ts";
import { nodesOf, type ToolHypergraph } from "./hypergraph.ts";
import { takesFreeText, takeValue, valueFor, type ValueShelf } from "./input-values.ts";
import { linkBetween } from "./link-between.ts";
import type { InputSource, PlannedInput } from "./planned-call.ts";
import type { QueryValue } from "./query-values.ts";

/** A weaker link is no reason to hand a value on that no call was added for. */
const LEAST_WEIGHT = 0.4;

/** What sources are looked for in. */
export interface Sources {
  readonly graph: ToolHypergraph;
  /** In call order. */
  readonly calls: readonly CollectedCall[];
  readonly shelf: ValueShelf;
  /** By sub-task. */
  readonly goals: readonly string[];
  /** By place, for calls that were made: whether the result may serve others. */
  readonly serves?: readonly boolean[] | undefined;
  /** Inputs whose values the user has said. */
  readonly given?: Uint32Array | undefined;
}

/**
 * Where each required input of the call at `place` gets its value: from the call that was added for it; from the request where the
 * input's name stands beside a fitting value; from an earlier call by a strong link; from the request by its form; from the words of the
 * sub-task, if the input asks for words; else from the user. Optional inputs are left to whoever makes the call.
 */
export function sourceInputs(sources: Sources, place: number): readonly PlannedInput[] {
  const { graph, calls } = sources;
  const call = calls[place];
  if (call === undefined) return [];
  const inputs: PlannedInput[] = [];
  const taken = namedValues(sources, place);
  for (const input of nodesOf(graph, call.tool, "takes")) {
    const link =
      sources.given?.includes(input) === true ? undefined : call.takes.find((known) => known.input === input);
    if (link !== undefined) {
      const { call: from, output, weight } = link;
      inputs.push({ input, source: { kind: "call", call: from, output, weight } });
    } else if (graph.nodes[input]?.required === true) {
      inputs.push({ input, source: sourceOf(sources, place, input, taken) });
    }
  }
  return inputs;
}

/** Values that stand beside the name of an input of the call, by that input: no other input of the call gets them. */
function namedValues({ graph, calls, shelf, goals, given }: Sources, place: number): Map<QueryValue, number> {
  const taken = new Map<QueryValue, number>();
  const call = calls[place];
  if (call === undefined) return taken;
  for (const input of nodesOf(graph, call.tool, "takes")) {
    const node = graph.nodes[input];
    if (node?.kind !== "in" || !node.required || given?.includes(input) === true) continue;
    if (call.takes.some((link) => link.input === input)) continue;
    const found = valueFor(shelf, node, goals[call.subTask]);
    if (found?.fit === "named" && !taken.has(found.value)) taken.set(found.value, input);
  }
  return taken;
}

function sourceOf(
  { graph, calls, shelf, goals, serves, given }: Sources,
  place: number,
  input: number,
  taken: Map<QueryValue, number>,
): InputSource {
  const node = graph.nodes[input];
  if (node === undefined || given?.includes(input) === true) return { kind: "user" };
  const goal = goals[calls[place]?.subTask ?? -1];
  const others = new Set([...taken.keys()].filter((value) => taken.get(value) !== input));
  const found = node.kind === "in" ? valueFor(shelf, node, goal, others) : undefined;
  const earlier = found?.fit === "named" ? undefined : strongestEarlier({ graph, calls, goals, serves }, place, input);
  if (earlier !== undefined) return earlier;
  if (found !== undefined) {
    takeValue(shelf, found.value);
    taken.set(found.value, input);
    const { value, start, end } = found.value;
    // An id that is a number by its form is a text to most tools.
    const isText = node.type === "string" && typeof value === "number";
    return { kind: "request", value: isText ? shelf.text.slice(start, end) : value };
  }
  return goal !== undefined && takesFreeText(node) ? { kind: "request", value: goal } : { kind: "user" };
}

/** The earlier call with the strongest link into the input, the latest among equals; `undefined` where none is strong. */
function strongestEarlier(
  { graph, calls, goals, serves }: Pick<Sources, "graph" | "calls" | "goals" | "serves">,
  place: number,
  input: number,
): InputSource | undefined {
  let best: InputSource | undefined;
  let most = LEAST_WEIGHT;
  const own = calls[place];
  for (const [call, { tool, subTask, isTerminal }] of calls.slice(0, place).entries()) {
    if (tool === own?.tool || serves?.[call] === false) continue;
    const isOther = isTerminal && subTask !== own?.subTask;
    const brought = isOther ? broughtBy(graph, tool, input, goals[own?.subTask ?? -1] ?? "") : undefined;
    if (brought !== undefined) return { kind: "call", call, ...brought };
    const { from, weight } = linkBetween(graph, tool, input);
    if (weight >= most) [best, most] = [{ kind: "call", call, output: from, weight }, weight];
  }
  return best;
}
