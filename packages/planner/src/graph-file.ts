import { type Catalog, SetwiseError } from "@setwise/core";
import type { GraphText } from "./graph-schema.ts";
import { frozenGraph, type ToolHypergraph } from "./hypergraph.ts";
import { type PortNode, portId } from "./ports.ts";
import { toolPorts } from "./tool-ports.ts";

/** Names the form of the file. */
const FORMAT = "setwise-hypergraph";
const VERSION = 1;

/** The graph as JSON text; {@link graphFromJson} reads it. */
export function graphToJson({ catalog, nodes, links, problems }: ToolHypergraph): string {
  const listed: [number, number, number, number][] = [];
  for (const to of nodes.keys()) {
    for (let link = links.offsets[to] ?? 0; link < (links.offsets[to + 1] ?? 0); link++) {
      listed.push([links.from[link] ?? 0, to, links.weights[link] ?? 0, links.kinds[link] ?? 0]);
    }
  }
  return JSON.stringify({
    format: FORMAT,
    version: VERSION,
    revision: catalog.revision,
    nodes,
    links: listed,
    problems,
  });
}

/**
 * A graph from the text of {@link graphToJson}, for the catalog it was made from.
 *
 * @throws SetwiseError `invalid-syntax` when the text is no JSON, `unsupported-version` when a later version wrote it, `corrupt-file`
 *   when it is none of ours or contradicts itself, `invalid-argument` when it was made from other tools.
 */
export async function graphFromJson(text: string, catalog: Catalog, source: string): Promise<ToolHypergraph> {
  const data = await parse(text, source);
  if (data.revision !== catalog.revision) {
    throw new SetwiseError(
      "invalid-argument",
      `${source}: the graph was made from other tools (revision ${data.revision.slice(0, 12)}, the catalog has ${catalog.revision.slice(0, 12)}). Build it anew, or update it.`,
      { source },
    );
  }
  const corrupt = (what: string): never => {
    throw new SetwiseError("corrupt-file", `${source}: ${what}. Write the graph again with graphToJson.`, { source });
  };
  const nodeOffsets = new Uint32Array(catalog.tools.length + 1);
  let tool = 0;
  for (const [place, entry] of data.nodes.entries()) {
    if (entry.tool < tool || entry.tool >= catalog.tools.length)
      corrupt(`node ${place} is not in the order of the tools`);
    while (tool < entry.tool) nodeOffsets[++tool] = place;
  }
  while (tool < catalog.tools.length) nodeOffsets[++tool] = data.nodes.length;
  const fault = nodeFault(data.nodes, nodeOffsets, catalog);
  if (fault !== undefined) corrupt(fault);
  const rows: { from: number; weight: number; kind: number }[][] = data.nodes.map(() => []);
  const linked = new Set<number>();
  for (const [from, to, weight, kind] of data.links) {
    const [origin, target] = [data.nodes[from]?.kind, data.nodes[to]?.kind];
    const isForward = (origin === "out" || origin === "eff") && (target === "in" || target === "pre");
    if (!isForward) corrupt(`the link from node ${from} to node ${to} does not go from an output to an input`);
    const link = from * data.nodes.length + to;
    if (linked.has(link)) corrupt(`the link from node ${from} to node ${to} is there twice`);
    linked.add(link);
    rows[to]?.push({ from, weight, kind });
  }
  const sorted = rows.map((row) => row.sort((a, b) => b.weight - a.weight || a.from - b.from));
  const flat = sorted.flat();
  const offsets = new Uint32Array(rows.length + 1);
  for (const [place, row] of sorted.entries()) offsets[place + 1] = (offsets[place] ?? 0) + row.length;
  const nodes: readonly PortNode[] = data.nodes.map((entry) => ({ ...entry, type: entry.type }));
  return frozenGraph({
    catalog,
    nodes,
    nodeOffsets,
    links: {
      offsets,
      from: Uint32Array.from(flat, ({ from }) => from),
      weights: Float32Array.from(flat, ({ weight }) => weight),
      kinds: Uint8Array.from(flat, ({ kind }) => kind),
    },
    problems: data.problems as ToolHypergraph["problems"][number][],
  });
}

/** Where the nodes are not those that the catalog's tools have, and preconditions and effects of theirs. */
function nodeFault(nodes: GraphText["nodes"], nodeOffsets: Uint32Array, { tools }: Catalog): string | undefined {
  const ids = new Set<string>();
  for (const [ordinal, tool] of tools.entries()) {
    const ports = toolPorts(tool, ordinal, { assumeRequired: false }).nodes;
    let next = 0;
    for (let place = nodeOffsets[ordinal] ?? 0; place < (nodeOffsets[ordinal + 1] ?? 0); place++) {
      const node = nodes[place];
      if (node === undefined) continue;
      const { id, kind, path, required } = node;
      const isOwn = kind === "in" || kind === "out" ? ports[next++]?.id === id : true;
      if (!isOwn || id !== portId(tool.id, kind, path)) return `node ${place} is no node of the tool ${tool.id}`;
      if (required && (kind === "out" || kind === "eff")) return `node ${place} is a result and yet required`;
      if (ids.has(id)) return `node ${place} is there twice`;
      ids.add(id);
    }
    if (next < ports.length) return `nodes of the tool ${tool.id} are missing`;
  }
  return undefined;
}

async function parse(text: string, source: string): Promise<GraphText> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SetwiseError("invalid-syntax", `${source}: expected a graph as JSON; ${String(cause)}.`, {
      source,
      cause,
    });
  }
  const version = (value as { readonly version?: unknown } | null)?.version;
  if (typeof version === "number" && version > VERSION) {
    throw new SetwiseError(
      "unsupported-version",
      `${source}: expected a graph of version ${VERSION}, got ${version}. Read it with a later Setwise.`,
      { source },
    );
  }
  const { graphSchema } = await import("./graph-schema.ts");
  const read = graphSchema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new SetwiseError(
    "corrupt-file",
    `${source}: expected a graph of graphToJson; ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "another form"}.`,
    { source, cause: read.error },
  );
}
