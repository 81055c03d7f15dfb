import { type ToolHypergraph, nodesOf } from "./hypergraph.ts";
import type { PlannedCall } from "./planned-call.ts";

/** What is wrong with a list of calls. */
export interface CallProblem {
  readonly code:
    /** A call waits for one that is not there. */
    | "unknown-call"
    /** Calls wait for one another in a ring, so that none of them can begin. */
    | "cycle"
    /** A call stands before one that it waits for. */
    | "wrong-order"
    /** A tool or node is not in the graph, or does not belong to its call. */
    | "unknown-port"
    /** A required input has no source. */
    | "no-source"
    /** A value is said to come from an output which no link leads from. */
    | "ungrounded";
  readonly message: string;
  /** Place of the call. */
  readonly call: number;
}

/**
 * Everything that keeps calls from being carried out as they stand: rings, wrong order, required inputs without a source, values from
 * where no link leads. None for what `planTools` gives; for plans of a language model, a person or a file.
 */
export function checkCalls(graph: ToolHypergraph, calls: readonly PlannedCall[]): readonly CallProblem[] {
  const problems: CallProblem[] = [];
  const ring = callsInRings(calls);
  for (const [place, call] of calls.entries()) {
    const say = (code: CallProblem["code"], message: string): void =>
      void problems.push({ code, message, call: place });
    const name = graph.catalog.tools[call.tool]?.id;
    if (name === undefined) {
      say("unknown-port", `Call ${place} is of tool ${call.tool}, but there are ${graph.catalog.tools.length} tools.`);
      continue;
    }
    for (const { call: before } of call.after) {
      if (calls[before] === undefined)
        say("unknown-call", `${name} (call ${place}) waits for call ${before}, which is not there.`);
      else if (before >= place && !ring.has(place))
        say("wrong-order", `${name} (call ${place}) waits for call ${before}, which comes later.`);
    }
    if (ring.has(place)) say("cycle", `${name} (call ${place}) waits for calls that wait for it.`);
    checkInputs(graph, calls, call, say);
  }
  return problems;
}

function checkInputs(
  graph: ToolHypergraph,
  calls: readonly PlannedCall[],
  call: PlannedCall,
  say: (code: CallProblem["code"], message: string) => void,
): void {
  const { nodes } = graph;
  const takes = new Set(nodesOf(graph, call.tool, "takes"));
  for (const { input, source } of call.inputs) {
    if (!takes.has(input)) {
      say("unknown-port", `Node ${input} is no input of ${graph.catalog.tools[call.tool]?.id}.`);
      continue;
    }
    takes.delete(input);
    if (source.kind !== "call") continue;
    const from = calls[source.call];
    const id = nodes[input]?.id;
    if (from === undefined) say("unknown-call", `${id} is to come from call ${source.call}, which is not there.`);
    else if (nodes[source.output]?.tool !== from.tool)
      say("unknown-port", `${id} is to come from node ${source.output}, which is no output of call ${source.call}.`);
    else if (!isLinked(graph, source.output, input))
      say("ungrounded", `${id} is to come from ${nodes[source.output]?.id}, but no link leads there.`);
    else if (!call.after.some((before) => before.call === source.call))
      say("wrong-order", `${id} comes from call ${source.call}, but its call does not wait for it.`);
  }
  for (const input of takes) {
    if (nodes[input]?.required === true)
      say("no-source", `${nodes[input]?.id} is required, but nothing is said of where its value comes from.`);
  }
}

function isLinked({ links }: ToolHypergraph, output: number, input: number): boolean {
  return links.from.subarray(links.offsets[input], links.offsets[input + 1]).includes(output);
}

/** The calls that can never begin, because they wait for each other. */
function callsInRings(calls: readonly PlannedCall[]): ReadonlySet<number> {
  const done = new Set<number>();
  for (let grown = true; grown;) {
    grown = false;
    for (const place of readyCalls(calls, done)) {
      done.add(place);
      grown = true;
    }
  }
  return new Set([...calls.keys()].filter((place) => !done.has(place)));
}

/** The topological frontier: the calls that are not done and wait for none that is not, in order. */
export function readyCalls(calls: readonly Pick<PlannedCall, "after">[], done: ReadonlySet<number>): readonly number[] {
  return [...calls.keys()].filter(
    (place) =>
      !done.has(place) && calls[place]?.after.every(({ call }) => done.has(call) || calls[call] === undefined) === true,
  );
}
