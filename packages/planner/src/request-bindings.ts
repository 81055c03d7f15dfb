import type { ToolHypergraph } from "./hypergraph.ts";
import { valueFor, type ValueShelf, valueShelf } from "./input-values.ts";
import { queryValues } from "./query-values.ts";
import { toolDeed } from "./tool-deeds.ts";

/**
 * The nodes that need no call: inputs that a person can say (all that are not opaque), and opaque ones whose value stands in the request.
 * Preconditions are none of them.
 */
export function availableNodes(graph: ToolHypergraph, shelf: ValueShelf): Uint32Array {
  const sayable = sayableNodes(graph);
  const held = heldInputs(graph, shelf);
  return held.length === 0 ? sayable : Uint32Array.from([...sayable, ...held]);
}

/** The opaque inputs whose value a text holds: an id that stands beside the name of what it is the id of. */
export function saidInputs(graph: ToolHypergraph, text: string): Uint32Array {
  return heldInputs(graph, valueShelf(text, queryValues(text)));
}

function heldInputs(graph: ToolHypergraph, shelf: ValueShelf): Uint32Array {
  if (!shelf.values.some(({ kind }) => kind === "id" || kind === "number")) return new Uint32Array(0);
  return opaqueInputs(graph).filter((node) => {
    const port = graph.nodes[node];
    return port !== undefined && valueFor(shelf, port) !== undefined;
  });
}

/** Tools that change something: nobody wants an order to be created because it gives back an order's id. Signing in is none of them. */
export function changingTools(graph: ToolHypergraph): Uint32Array {
  let found = changing.get(graph);
  if (found === undefined) {
    const deeds = graph.catalog.tools.map(toolDeed);
    found = Uint32Array.from(deeds.keys()).filter((tool) => deeds[tool] === "creates" || deeds[tool] === "changes");
    changing.set(graph, found);
  }
  return found;
}

const sayable = new WeakMap<ToolHypergraph, Uint32Array>();
const opaque = new WeakMap<ToolHypergraph, Uint32Array>();
const changing = new WeakMap<ToolHypergraph, Uint32Array>();

function sayableNodes(graph: ToolHypergraph): Uint32Array {
  let found = sayable.get(graph);
  if (found === undefined) {
    found = nodesWhere(graph, false);
    sayable.set(graph, found);
  }
  return found;
}

function opaqueInputs(graph: ToolHypergraph): Uint32Array {
  let found = opaque.get(graph);
  if (found === undefined) {
    found = nodesWhere(graph, true);
    opaque.set(graph, found);
  }
  return found;
}

function nodesWhere({ nodes }: ToolHypergraph, isOpaque: boolean): Uint32Array {
  const found: number[] = [];
  for (const [place, node] of nodes.entries()) {
    if (node.kind === "in" && node.required && node.opaque === isOpaque) found.push(place);
  }
  return Uint32Array.from(found);
}
