import { type Encoder, untilAborted } from "@setwise/core";
import {
  buildHypergraph,
  changedTools,
  DeficitExpansion,
  embedPorts,
  type GivenEdge,
  updateHypergraph,
} from "@setwise/planner";
import type { GraphKeeper } from "./graph-keeper.ts";
import type { SelectorState } from "./selector-state.ts";

/**
 * Which tools produce what others need, ready to be searched: made at the first question about it, since of a large catalog the arguments and
 * results of all tools have to be encoded, and then kept. After a change of the tools it is brought to the new ones, of which only those that
 * changed are read and encoded.
 */
export async function toolGraph(
  keeper: GraphKeeper,
  state: Pick<SelectorState, "index" | "folded" | "links">,
  encoder: Encoder | undefined,
  signal: AbortSignal | undefined,
): Promise<DeficitExpansion> {
  const before = keeper.made;
  if (before?.index === state.index) return untilAborted(signal, () => before.expansion);
  const made = { index: state.index, expansion: graphAfter(before?.expansion, state, encoder, keeper.edges) };
  keeper.made = made;
  // An encoder that failed may be back the next time.
  made.expansion.catch(() => {
    if (keeper.made === made) keeper.made = before;
  });
  // Others may wait for the same graph, so that a signal ends the waiting and not the work.
  return untilAborted(signal, () => made.expansion);
}

async function graphAfter(
  before: Promise<DeficitExpansion> | undefined,
  { index: { catalog }, folded, links }: Pick<SelectorState, "index" | "folded" | "links">,
  encoder: Encoder | undefined,
  edgesOfSetting: readonly GivenEdge[],
): Promise<DeficitExpansion> {
  const known = (await before?.catch(() => undefined))?.graph;
  // Of two edges for one link the last counts: what a person says stands above a document.
  const given = [...links, ...edgesOfSetting];
  const edges = folded === undefined ? given : given.map((edge) => edgeOfFolded(edge, folded.merged));
  const unread = known === undefined ? catalog.tools : changedTools(known, catalog);
  const isEncoded = encoder !== undefined && unread.length > 0;
  const further = { edges, ...(isEncoded ? { vectors: await embedPorts(unread, encoder) } : {}) };
  const graph = known === undefined ? buildHypergraph(catalog, further) : updateHypergraph(known, catalog, further);
  return new DeficitExpansion(graph);
}

/** The edge with the ids of the tools that stand for its own now. */
function edgeOfFolded(
  { from, to, ...edge }: GivenEdge,
  merged: NonNullable<SelectorState["folded"]>["merged"],
): GivenEdge {
  const idOf = (tool: string): string => merged.newIdOf(tool) ?? tool;
  return { ...edge, from: { ...from, tool: idOf(from.tool) }, to: { ...to, tool: idOf(to.tool) } };
}
