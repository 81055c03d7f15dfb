import { type Encoder, untilAborted } from "@setwise/core";
import { buildHypergraph, DeficitExpansion, embedPorts } from "@setwise/planner";
import type { ToolIndex } from "@setwise/retriever";

const graphs = new WeakMap<ToolIndex, Promise<DeficitExpansion>>();

/**
 * Which tools produce what others need, ready to be searched: made at the first question about it, since of a large catalog the arguments and
 * results of all tools have to be encoded, and then kept as long as the index.
 */
export async function toolGraph(
  index: ToolIndex,
  encoder: Encoder | undefined,
  signal: AbortSignal | undefined,
): Promise<DeficitExpansion> {
  let graph = graphs.get(index);
  if (graph === undefined) {
    graph = buildGraph(index, encoder);
    graphs.set(index, graph);
    // An encoder that failed may be back the next time.
    graph.catch(() => graphs.delete(index));
  }
  const made = graph;
  // Others may wait for the same graph, so that a signal ends the waiting and not the work.
  return untilAborted(signal, () => made);
}

async function buildGraph({ catalog }: ToolIndex, encoder: Encoder | undefined): Promise<DeficitExpansion> {
  const vectors = encoder === undefined ? undefined : await embedPorts(catalog.tools, encoder);
  return new DeficitExpansion(buildHypergraph(catalog, vectors === undefined ? {} : { vectors }));
}
