import { callStage, CHANGING_STAGE } from "./call-stage.ts";
import type { CollectedCall } from "./collect-calls.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { orderTools } from "./order-tools.ts";
import { toolSupport } from "./tool-support.ts";

/**
 * The calls in call order: each after those that it takes something from, otherwise as {@link orderTools} puts them, by their sub-tasks,
 * links and what they do; the first `made` keep their places. Their places are changed in `takes` too.
 */
export function orderCalls(graph: ToolHypergraph, calls: readonly CollectedCall[], made = 0): readonly CollectedCall[] {
  const positions = Float64Array.from(calls, (call) => call.subTask);
  const stages = calls.map((call) => stageOf(graph, call.tool));
  const support = toolSupport(graph);
  const rank = orderTools({ positions, stages, support: (x, y) => support(calls[x]?.tool ?? 0, calls[y]?.tool ?? 0) });
  const placed = Array.from({ length: made }, (_, call) => call);
  const placeOf = new Map(placed.map((call) => [call, call]));
  const left = [...rank].filter((call) => call >= made);
  while (left.length > 0) {
    const at = left.findIndex((call) => calls[call]?.takes.every((taken) => placeOf.has(taken.call)) === true);
    const [next = 0] = left.splice(Math.max(0, at), 1);
    placeOf.set(next, placed.push(next) - 1);
  }
  return placed.map((call) => {
    const { takes, ...rest } = calls[call] as CollectedCall;
    return { ...rest, takes: takes.map((taken) => ({ ...taken, call: placeOf.get(taken.call) ?? 0 })) };
  });
}

/** Whether the later of two calls has to wait for the other though nothing flows between them: one of them changes something. */
export function keepsItsPlace(graph: ToolHypergraph, earlier: number, later: number): boolean {
  return stageOf(graph, earlier) >= CHANGING_STAGE || stageOf(graph, later) >= CHANGING_STAGE;
}

function stageOf({ catalog }: ToolHypergraph, tool: number): number {
  const known = catalog.tools[tool];
  return known === undefined ? 0 : callStage(known);
}
