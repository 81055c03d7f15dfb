import type { Catalog } from "@setwise/core";
import { type GivenEdge, stepsOf } from "./given-edges.ts";
import { type GraphProblem, linkKinds } from "./hypergraph.ts";
import type { LinkFinder } from "./link-finder.ts";
import { type PortKind, type PortNode, portId } from "./ports.ts";

/** A link that was given, by the ids of its nodes. */
export interface GivenLink {
  readonly from: string;
  readonly weight: number;
  /** Place in `linkKinds`. */
  readonly kind: number;
}

export interface GivenLinks {
  /** By id of the input or precondition. */
  readonly byInput: ReadonlyMap<string, { readonly links: readonly GivenLink[] }>;
  /** By catalog ordinal, nodes that only edges know of. */
  readonly preconditions: ReadonlyMap<number, readonly PortNode[]>;
  readonly effects: ReadonlyMap<number, readonly PortNode[]>;
  readonly problems: readonly GraphProblem[];
}

interface Gathering {
  readonly links: Map<string, Map<string, GivenLink>>;
  readonly preconditions: Map<number, Map<string, PortNode>>;
  readonly effects: Map<number, Map<string, PortNode>>;
  readonly problems: GraphProblem[];
}

/**
 * Turns given edges into links and, where they name no input, into preconditions and effects. Of two edges for one link the last counts, but that
 * an `order` edge, which every other implies, takes nothing back.
 */
export function givenLinks(
  catalog: Catalog,
  { world }: LinkFinder,
  toolNumbers: Uint32Array,
  edges: readonly GivenEdge[],
): GivenLinks {
  const gathering: Gathering = { links: new Map(), preconditions: new Map(), effects: new Map(), problems: [] };
  const idsOfTool = new Map<number, ReadonlySet<string>>();
  const has = (ordinal: number, id: string): boolean => {
    let ids = idsOfTool.get(ordinal);
    if (ids === undefined) {
      const tool = world.tools[toolNumbers[ordinal] ?? 0];
      ids = new Set(world.nodes.slice(tool?.first, tool?.end).map((node) => node.id));
      idsOfTool.set(ordinal, ids);
    }
    return ids.has(id);
  };
  for (const edge of edges) {
    const ends = endsOf(catalog, edge, has, gathering);
    if (ends === undefined) continue;
    const link = { from: ends.from, weight: edge.weight ?? 1, kind: linkKinds.indexOf(ends.kind) };
    const into = gathering.links.get(ends.to) ?? new Map<string, GivenLink>();
    gathering.links.set(ends.to, into);
    const before = into.get(ends.from);
    const isOrder = [before?.kind, link.kind].map((kind) => kind === ORDER);
    if (before !== undefined && isOrder[1] && !isOrder[0]) continue;
    if (before !== undefined && isOrder[0] === isOrder[1] && !isAlike(before, link)) {
      gathering.problems.push({
        code: "contradictory-edges",
        message: `Two edges say different things of the link from ${ends.from} to ${ends.to}; the last one counts.`,
        toolId: edge.to.tool,
      });
    }
    into.set(ends.from, link);
  }
  const listed = (map: ReadonlyMap<number, ReadonlyMap<string, PortNode>>): ReadonlyMap<number, readonly PortNode[]> =>
    new Map(Array.from(map, ([ordinal, nodes]) => [ordinal, [...nodes.values()]]));
  return {
    byInput: new Map(Array.from(gathering.links, ([id, links]) => [id, { links: [...links.values()] }])),
    preconditions: listed(withRequired(gathering)),
    effects: listed(gathering.effects),
    problems: gathering.problems,
  };
}

const ORDER = linkKinds.indexOf("order");

function isAlike(a: GivenLink, b: GivenLink): boolean {
  return a.weight === b.weight && a.kind === b.kind;
}

/** A precondition must be brought about where a link into it says more than an order. */
function withRequired({ preconditions, links }: Gathering): Gathering["preconditions"] {
  const isNeeded = (id: string): boolean =>
    [...(links.get(id)?.values() ?? [])].some(({ weight, kind }) => weight > 0 && kind !== ORDER);
  return new Map(
    Array.from(preconditions, ([ordinal, nodes]) => [
      ordinal,
      new Map(Array.from(nodes, ([id, node]) => [id, { ...node, required: isNeeded(id) }])),
    ]),
  );
}

function endsOf(
  catalog: Catalog,
  edge: GivenEdge,
  has: (ordinal: number, id: string) => boolean,
  { preconditions, effects, problems }: Gathering,
): { readonly from: string; readonly to: string; readonly kind: (typeof linkKinds)[number] } | undefined {
  const { from, to } = edge;
  const [producer, consumer] = [catalog.ordinalOf(from.tool), catalog.ordinalOf(to.tool)];
  const refuse = (what: string): undefined => {
    problems.push({
      code: "unknown-port",
      message: `An edge names ${what}, which is not there; it was left out.`,
      toolId: to.tool,
    });
  };
  if (producer === undefined) return refuse(`the tool "${from.tool}"`);
  if (consumer === undefined) return refuse(`the tool "${to.tool}"`);
  if (to.input !== null && to.input !== undefined) {
    const output = portId(from.tool, "out", stepsOf(from.output ?? ""));
    const input = portId(to.tool, "in", stepsOf(to.input));
    if (!has(producer, output)) return refuse(`the output ${output}`);
    if (!has(consumer, input)) return refuse(`the input ${input}`);
    return { from: output, to: input, kind: edge.kind ?? "data" };
  }
  const kind = edge.kind ?? "effect";
  const effect = stateNode(effects, producer, "eff", from.tool, from.output ?? "called");
  const precondition = stateNode(preconditions, consumer, "pre", to.tool, from.output ?? from.tool);
  return { from: effect, to: precondition, kind };
}

/** The precondition or effect of that name, made if need be; gives back its id. */
function stateNode(
  states: Map<number, Map<string, PortNode>>,
  tool: number,
  kind: PortKind,
  toolId: string,
  name: string,
): string {
  const id = portId(toolId, kind, [name]);
  const own = states.get(tool) ?? new Map<string, PortNode>();
  states.set(tool, own);
  if (!own.has(id)) {
    own.set(id, {
      id,
      tool,
      kind,
      path: [name],
      description: "",
      type: undefined,
      required: false,
      opaque: false,
      isWildcard: true,
    });
  }
  return id;
}
