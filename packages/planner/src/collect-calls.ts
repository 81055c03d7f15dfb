import type { SupportSubgraph } from "./expand-deficit.ts";
import type { ToolHypergraph } from "./hypergraph.ts";

/** A call before its place is known: what it takes from which other call, by their places in the list. */
export interface CollectedCall {
  readonly tool: number;
  readonly subTask: number;
  readonly isTerminal: boolean;
  readonly takes: { readonly input: number; readonly output: number; readonly weight: number; readonly call: number }[];
}

/** A call that was made before: it keeps its place. */
export interface MadeCall extends CollectedCall {
  /** Whether its result may serve further calls. */
  readonly serves: boolean;
}

/**
 * The calls of all sub-tasks. A call of an earlier sub-task serves a later one too, unless they would wait for each other. Where one tool feeds
 * two inputs of another by the same output (origin and destination), it is called once for each.
 *
 * @param found For each sub-task its support subgraph, if it has a tool.
 * @param made Calls that stand before all others.
 */
export function collectCalls(
  graph: ToolHypergraph,
  found: readonly (SupportSubgraph | undefined)[],
  made: readonly MadeCall[] = [],
): readonly CollectedCall[] {
  const calls: CollectedCall[] = [...made];
  for (const [subTask, subgraph] of found.entries()) {
    if (subgraph === undefined) continue;
    const callOf = new Map<number, number>();
    for (const tool of subgraph.tools) {
      const links = subgraph.links.filter((link) => graph.nodes[link.to]?.tool === tool);
      const before = links.map((link) => callOf.get(graph.nodes[link.from]?.tool ?? -1) ?? -1);
      const isTerminal = tool === subgraph.terminal;
      const same = isTerminal
        ? -1
        : calls.findIndex(
            (call, place) =>
              call.tool === tool &&
              made[place]?.serves !== false &&
              before.every((other) => !waitsFor(calls, other, place)),
          );
      if (same >= 0) {
        callOf.set(tool, same);
        continue;
      }
      const takes: CollectedCall["takes"] = [];
      const taken = new Set<number>();
      for (const [place, link] of links.entries()) {
        let call = before[place] ?? -1;
        if (call < 0) continue;
        if (taken.has(link.from))
          call = calls.push({ ...(calls[call] as CollectedCall), subTask, isTerminal: false }) - 1;
        taken.add(link.from);
        takes.push({ input: link.to, output: link.from, weight: link.weight, call });
      }
      callOf.set(tool, calls.push({ tool, subTask, isTerminal, takes }) - 1);
    }
  }
  return calls;
}

/** Whether call `later` waits, directly or not, for call `earlier`. */
export function waitsFor(
  calls: readonly { readonly takes: readonly { readonly call: number }[] }[],
  later: number,
  earlier: number,
): boolean {
  const seen = new Set<number>([later]);
  for (const call of seen) {
    if (call === earlier) return true;
    for (const { call: before } of calls[call]?.takes ?? []) seen.add(before);
  }
  return false;
}
