import type { DeficitExpansion, GivenEdge } from "@setwise/planner";
import type { ToolIndex } from "@setwise/retriever";

/** The graph of a selector's tools, as far as one was asked for; the planner itself is not loaded before. */
export interface GraphKeeper {
  readonly edges: readonly GivenEdge[];
  /** The last one, and of which tools it is; those of before a change of the tools become it. */
  made?: { readonly index: ToolIndex; readonly expansion: Promise<DeficitExpansion> } | undefined;
}

/** Frees the native memory of the graph that is there now. A plan made over it can still be carried out: it takes memory anew. */
export async function freeGraph({ made }: GraphKeeper): Promise<void> {
  // A graph that could not be made was told of where it was asked for.
  (await made?.expansion.catch(() => undefined))?.dispose();
}
