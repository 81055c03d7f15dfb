import type { ToolHypergraph } from "./hypergraph.ts";
import type { InputSource, PlannedCall } from "./planned-call.ts";
import { outputFor, setArgument } from "./result-values.ts";
import type { RunAnswers } from "./run-answers.ts";
import type { Expected } from "./verify-result.ts";

export type CallStatus = "waiting" | "running" | "done" | "failed";

/** A planned call with what came of it. */
export interface RunCall extends PlannedCall {
  /** Its own for the whole run; its place changes when what remains is planned anew. */
  readonly id: number;
  status: CallStatus;
  /** What it gave back, once that was accepted. */
  result: unknown;
}

/** All that a run knows values from. */
export interface KnownValues {
  readonly graph: ToolHypergraph;
  readonly calls: readonly RunCall[];
  readonly answers: RunAnswers;
  /** What the request and the user name, in lower case: of a list the item of that name is meant. */
  readonly named: ReadonlySet<string>;
}

/** The value that an input gets, `undefined` if it is not known yet. */
export function valueOf(
  { graph, calls, answers, named }: KnownValues,
  call: number,
  source: InputSource,
  input: number,
): unknown {
  if (source.kind === "request") return source.value;
  if (source.kind === "user") return answers.of(call, input);
  const from = calls[source.call];
  const output = graph.nodes[source.output];
  const taker = graph.nodes[input];
  if (from?.status !== "done" || output === undefined || taker === undefined) return undefined;
  // A state that a call brings about has no value that could be handed on; that it is there is enough.
  return taker.kind === "pre" ? true : outputFor(from.result, output, taker, named);
}

/** Whether the call can be made: all values are there, and all that must hold does. Of a precondition nothing but `true` says so. */
export function hasValues(known: KnownValues, call: RunCall): boolean {
  return call.inputs.every(({ input, source }) => {
    const value = valueOf(known, call.id, source, input);
    return known.graph.nodes[input]?.kind === "pre" ? value === true : value !== undefined;
  });
}

/** The arguments of a call whose values are all known. */
export function argumentsOf(known: KnownValues, call: RunCall): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { input, source } of call.inputs) {
    const node = known.graph.nodes[input];
    if (node?.kind === "in") setArgument(values, node.path, valueOf(known, call.id, source, input));
  }
  return values;
}

/** What the result of a call is needed for. */
export function expectedOf(calls: readonly RunCall[], call: RunCall): Expected {
  const wanted = calls.flatMap((other) =>
    other.inputs.flatMap(({ input, source }) =>
      source.kind === "call" && calls[source.call] === call ? [{ output: source.output, input }] : [],
    ),
  );
  return { tool: call.tool, wanted, isTerminal: call.isTerminal };
}

/** Whether it waits for a call that failed, so that it will not be made unless something is planned anew. */
export function isBlocked(calls: readonly RunCall[], call: RunCall): boolean {
  const seen = new Set<RunCall>([call]);
  for (const waiting of seen) {
    for (const { call: before } of waiting.after) {
      const earlier = calls[before];
      if (earlier === undefined || earlier.status === "failed") return true;
      seen.add(earlier);
    }
  }
  return false;
}

/** The calls that are kept, with their new places in `after` and `inputs`. What they rest on must be kept too. */
export function movedCalls(calls: readonly RunCall[], isKept: (call: RunCall) => boolean): readonly RunCall[] {
  const kept = calls.filter(isKept);
  const placeOf = new Map(kept.map((call, place) => [call, place]));
  const moved = (place: number): number | undefined => {
    const call = calls[place];
    return call === undefined ? undefined : placeOf.get(call);
  };
  return kept.map((call) => ({
    ...call,
    after: call.after.flatMap((before) => {
      const place = moved(before.call);
      return place === undefined ? [] : [{ ...before, call: place }];
    }),
    inputs: call.inputs.map(({ input, source }) => ({
      input,
      source: source.kind === "call" ? { ...source, call: moved(source.call) ?? 0 } : source,
    })),
  }));
}
