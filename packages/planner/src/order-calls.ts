import { callStage } from "./call-stage.ts";
import type { CollectedCall } from "./collect-calls.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { linkBetween } from "./link-between.ts";
import { nodesOf } from "./hypergraph.ts";
import { orderTools } from "./order-tools.ts";

/** What creates, changes or tells; see {@link callStage}. */
const CHANGING = 2;

/**
 * The calls in call order: each after those that it takes something from, otherwise as {@link orderTools} puts them, by their sub-tasks,
 * links and what they do; the first `made` keep their places. Their places are changed in `takes` too.
 */
export function orderCalls(graph: ToolHypergraph, calls: readonly CollectedCall[], made = 0): readonly CollectedCall[] {
  const positions = Float64Array.from(calls, (call) => call.subTask);
  const stages = calls.map((call) => stageOf(graph, call.tool));
  const support = supportTable(graph, calls);
  const rank = orderTools({ positions, stages, support: (x, y) => support[x * calls.length + y] ?? 0 });
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
  return stageOf(graph, earlier) >= CHANGING || stageOf(graph, later) >= CHANGING;
}

function stageOf({ catalog }: ToolHypergraph, tool: number): number {
  const known = catalog.tools[tool];
  return known === undefined ? 0 : callStage(known);
}

/** ρ of every pair of calls: the strongest link from an output of one to an input of the other. */
function supportTable(graph: ToolHypergraph, calls: readonly CollectedCall[]): Float64Array {
  const table = new Float64Array(calls.length * calls.length);
  for (const [later, { tool }] of calls.entries()) {
    const inputs = nodesOf(graph, tool, "takes");
    for (const [earlier, { tool: producer }] of calls.entries()) {
      if (producer === tool) continue;
      for (const input of inputs) {
        const { weight } = linkBetween(graph, producer, input);
        const at = earlier * calls.length + later;
        if (weight > (table[at] ?? 0)) table[at] = weight;
      }
    }
  }
  return table;
}
