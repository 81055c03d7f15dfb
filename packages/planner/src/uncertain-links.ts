import { type GivenEdge, stepsOf } from "./given-edges.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { portId, type PortNode } from "./ports.ts";

/** A predicted link, and its ends as an edge names them. */
export interface UncertainLink {
  readonly from: PortNode;
  readonly to: PortNode;
  readonly weight: number;
  readonly ends: Pick<GivenEdge, "from" | "to">;
}

/**
 * The predicted links whose weights lie within `between`, strongest first, equal ones by lower node ordinals; at most `most`. What an edge says
 * something of is not uncertain.
 */
export function uncertainLinks(
  { catalog, nodes, links }: ToolHypergraph,
  given: readonly GivenEdge[],
  [least, greatest]: readonly [number, number],
  most: number,
): readonly UncertainLink[] {
  const between: Omit<UncertainLink, "ends">[] = [];
  for (const [place, to] of nodes.entries()) {
    for (let link = links.offsets[place] ?? 0; link < (links.offsets[place + 1] ?? 0); link++) {
      const weight = links.weights[link] ?? 0;
      const from = nodes[links.from[link] ?? -1];
      if (from?.kind !== "out" || to.kind !== "in" || weight < least || weight > greatest) continue;
      between.push({ from, to, weight });
    }
  }
  // Sorting is stable, and nodes were read in order; links into one node stand strongest first, equal ones by lower ordinal.
  between.sort((a, b) => b.weight - a.weight);
  const said = new Set(given.map(keyOfEdge));
  const found: UncertainLink[] = [];
  const idOf = ({ tool }: PortNode): string => catalog.tools[tool]?.id ?? "";
  for (const link of between) {
    if (found.length >= most) break;
    const { from, to } = link;
    const ends = {
      from: { tool: idOf(from), output: pointerTo(from) },
      to: { tool: idOf(to), input: pointerTo(to) },
    };
    const key = keyOfEdge(ends);
    // An edge cannot name a property called "0", which is a place in a list to it.
    if (key === keyOf(from.id, to.id) && !said.has(key)) found.push({ ...link, ends });
  }
  return found;
}

/** The ids of an edge's nodes, if it is one from an output to an input. */
function keyOfEdge({ from, to }: Pick<GivenEdge, "from" | "to">): string {
  return keyOf(portId(from.tool, "out", stepsOf(from.output ?? "")), portId(to.tool, "in", stepsOf(to.input ?? "")));
}

const keyOf = (from: string, to: string): string => JSON.stringify([from, to]);

/** The JSON Pointer to a node in its tool's arguments or result; items of a list are the step `*`. */
function pointerTo({ path }: PortNode): string {
  return path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
