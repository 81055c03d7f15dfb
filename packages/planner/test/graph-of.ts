import { createCatalog, type JsonSchema, type Tool } from "@setwise/core";
import { linkKinds, type ToolHypergraph } from "../src/hypergraph.ts";
import { toolPorts } from "../src/tool-ports.ts";

/** A tool for tests; `takes` are required texts unless they say otherwise, `gives` texts. */
export function testTool(
  name: string,
  takes: readonly string[] = [],
  gives: readonly string[] = [],
  more: Partial<Tool> = {},
): Tool {
  const properties = (names: readonly string[]): Record<string, JsonSchema> =>
    Object.fromEntries(names.map((given) => [given, { type: "string" }]));
  return {
    id: name,
    name,
    description: "",
    inputSchema: { type: "object", required: [...takes], properties: properties(takes) },
    ...(gives.length === 0 ? {} : { outputSchema: { type: "object", properties: properties(gives) } }),
    original: null,
    ...more,
  };
}

/** A graph with exactly these links, each as `["find#out/id", "open#in/id", weight]`. */
export function graphOf(
  tools: readonly Tool[],
  links: readonly (readonly [from: string, to: string, weight?: number])[],
): ToolHypergraph {
  const catalog = createCatalog(tools);
  const parts = tools.map((tool, ordinal) => toolPorts(tool, ordinal, { assumeRequired: false }).nodes);
  const nodes = parts.flat();
  const nodeOffsets = Uint32Array.from([0, ...parts.map((_, tool) => parts.slice(0, tool + 1).flat().length)]);
  const ordinals = new Map(nodes.map((node, place) => [node.id, place]));
  const at = (id: string): number => {
    const found = ordinals.get(id);
    if (found === undefined) throw new Error(`no node ${id} among ${[...ordinals.keys()].join(", ")}`);
    return found;
  };
  const rows = nodes.map((_, node) =>
    links
      .filter(([, to]) => at(to) === node)
      .map(([from, , weight = 1]) => ({ from: at(from), weight }))
      .sort((a, b) => b.weight - a.weight || a.from - b.from),
  );
  const flat = rows.flat();
  return {
    catalog,
    nodes,
    nodeOffsets,
    links: {
      offsets: Uint32Array.from([0, ...rows.map((_, node) => rows.slice(0, node + 1).flat().length)]),
      from: Uint32Array.from(flat, (link) => link.from),
      weights: Float32Array.from(flat, (link) => link.weight),
      kinds: new Uint8Array(flat.length).fill(linkKinds.indexOf("data")),
    },
    problems: [],
    nodeOf: (id) => ordinals.get(id),
  };
}
