import { linkKinds, type ToolHypergraph } from "./hypergraph.ts";

/** Which links are drawn: a picture of all of them shows nothing. */
export interface DrawOptions {
  /** Weaker links are left out. Default .4. */
  readonly leastWeight?: number;
  /** The only tools that are drawn, as catalog ordinals. Default: all. */
  readonly tools?: Uint32Array;
}

const DEFAULT_LEAST_WEIGHT = 0.4;
/** Longer labels make a picture unreadable. */
const LONGEST_LABEL = 80;

interface DrawnLink {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly isData: boolean;
}

/** Links between tools, the strongest first among those of one input. */
function drawn(
  { nodes, links, catalog }: ToolHypergraph,
  { leastWeight = DEFAULT_LEAST_WEIGHT, tools }: DrawOptions,
): { readonly tools: readonly number[]; readonly links: readonly DrawnLink[] } {
  const shown = new Set(tools ?? catalog.tools.keys());
  const found: DrawnLink[] = [];
  for (const [place, node] of nodes.entries()) {
    for (let link = links.offsets[place] ?? 0; link < (links.offsets[place + 1] ?? 0); link++) {
      const from = nodes[links.from[link] ?? 0];
      const weight = links.weights[link] ?? 0;
      if (from === undefined || weight < leastWeight || !shown.has(node.tool) || !shown.has(from.tool)) continue;
      const label = `${from.path.join("/") || "result"} → ${node.path.join("/")}`;
      found.push({ from: from.tool, to: node.tool, label, isData: links.kinds[link] === 0 });
    }
  }
  return { tools: [...shown].sort((a, b) => a - b), links: found };
}

/** A Mermaid flowchart: tools as boxes, links as arrows from producer to consumer, broken where no data flows. */
export function graphToMermaid(graph: ToolHypergraph, options: DrawOptions = {}): string {
  const { tools, links } = drawn(graph, options);
  const text = (value: string): string =>
    short(value).replace(/[^\p{L}\p{N} _.,:→/*-]/gu, (c) => `#${c.codePointAt(0)};`);
  return [
    "flowchart LR",
    ...tools.map((tool) => `  t${tool}["${text(graph.catalog.tools[tool]?.id ?? "")}"]`),
    ...links.map(({ from, to, label, isData }) => `  t${from} ${isData ? "-->" : "-.->"}|"${text(label)}"| t${to}`),
    "",
  ].join("\n");
}

/** A directed graph in the language of Graphviz. */
export function graphToDot(graph: ToolHypergraph, options: DrawOptions = {}): string {
  const { tools, links } = drawn(graph, options);
  const text = (value: string): string =>
    `"${short(value)
      .replace(/[\\"]/g, "\\$&")
      .replace(/[\r\n]+/g, " ")}"`;
  return [
    "digraph tools {",
    "  rankdir=LR;",
    ...tools.map((tool) => `  t${tool} [shape=box, label=${text(graph.catalog.tools[tool]?.id ?? "")}];`),
    ...links.map(
      ({ from, to, label, isData }) => `  t${from} -> t${to} [label=${text(label)}${isData ? "" : ", style=dashed"}];`,
    ),
    "}",
    "",
  ].join("\n");
}

/** GraphML with the whole graph: tools and ports as nodes, `takes` and `gives` between them, and all links with weight and kind. */
export function graphToGraphml({ catalog, nodes, links }: ToolHypergraph): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...["kind", "name"].map((key) => `  <key id="${key}" for="node" attr.name="${key}" attr.type="string"/>`),
    '  <key id="relation" for="edge" attr.name="relation" attr.type="string"/>',
    '  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>',
    '  <graph id="tools" edgedefault="directed">',
  ];
  const node = (id: string, kind: string, name: string): void => {
    lines.push(`    <node id="${id}"><data key="kind">${kind}</data><data key="name">${escapeXml(name)}</data></node>`);
  };
  const edge = (source: string, target: string, relation: string, weight: number): void => {
    lines.push(
      `    <edge source="${source}" target="${target}"><data key="relation">${relation}</data><data key="weight">${weight}</data></edge>`,
    );
  };
  for (const [tool, { id }] of catalog.tools.entries()) node(`t${tool}`, "tool", id);
  for (const [place, { kind, id }] of nodes.entries()) node(`n${place}`, kind, id);
  for (const [place, { kind, tool }] of nodes.entries()) {
    const isTaken = kind === "in" || kind === "pre";
    edge(isTaken ? `n${place}` : `t${tool}`, isTaken ? `t${tool}` : `n${place}`, isTaken ? "takes" : "gives", 1);
    for (let link = links.offsets[place] ?? 0; link < (links.offsets[place + 1] ?? 0); link++) {
      edge(`n${links.from[link]}`, `n${place}`, linkKinds[links.kinds[link] ?? 0] ?? "data", links.weights[link] ?? 0);
    }
  }
  return [...lines, "  </graph>", "</graphml>", ""].join("\n");
}

function short(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL)}…` : text;
}

/** Without the characters that XML cannot hold at all, such as halves of pairs. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);
}
