import { type Catalog, createCatalog, type Encoder } from "@setwise/core";
import { buildHypergraph, DeficitExpansion, embedPorts, nodesOf, updateHypergraph } from "@setwise/planner";

const ROUNDS = 9;
const TERMINALS = 2_000;
const UPDATES = 15;
/** Updates that are not counted: the first one also makes the lists of inputs, and code is compiled. */
const WARM_UPDATES = 2;

/** Times of building, searching and updating; processor time beside wall time, because machines are shared. */
export async function graphSpeed(
  catalog: Catalog,
  encoder: Encoder | undefined,
  print: (line: string) => void,
): Promise<void> {
  const vectors = encoder === undefined ? undefined : await embedPorts(catalog.tools, encoder);
  const before = process.memoryUsage().rss;
  const [graph, built] = timed(() => buildHypergraph(catalog, vectors === undefined ? {} : { vectors }));
  const grown = (process.memoryUsage().rss - before) / 1e6;
  const size = `${catalog.tools.length} tools, ${graph.nodes.length} nodes, ${graph.links.from.length} links`;
  print(`${encoder?.name ?? "words alone"}, ${size}: built in ${built}, ${grown.toFixed(0)} MB more`);
  const [expansion, made] = timed(() => new DeficitExpansion(graph));
  const terminals = Array.from(catalog.tools.keys())
    .filter((tool) => nodesOf(graph, tool, "takes").some((node) => graph.nodes[node]?.required === true))
    .slice(0, TERMINALS);
  const relevance = Float32Array.from(catalog.tools, (_, tool) => ((tool * 7919) % 1000) / 1000);
  const each: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (const tool of terminals) expansion.expand({ terminals: Uint32Array.of(tool), count: 1 });
    const middle = performance.now();
    expansion.expand({ terminals: Uint32Array.from(terminals), relevance, count: 5 });
    each.push((1_000 * (middle - start)) / terminals.length);
    together.push((1_000 * (performance.now() - middle)) / terminals.length);
  }
  const figures = `${median(each).toFixed(1)} µs one by one, ${median(together).toFixed(1)} µs in one query with relevance`;
  print(`matrix ${made}; deficit search a terminal tool, ${terminals.length} of them: ${figures}`);
  expansion.dispose();
  const updates: number[] = [];
  let latest = graph;
  for (let round = 0; round < UPDATES; round++) {
    const tools = [...latest.catalog.tools];
    const place = (1_000 + 411 * round) % tools.length;
    const changed = { ...tools[place]!, description: `${tools[place]!.description} It was changed.` };
    tools[place] = changed;
    const next = createCatalog(tools);
    const added = encoder === undefined ? undefined : await embedPorts([changed], encoder);
    const start = performance.now();
    latest = updateHypergraph(latest, next, added === undefined ? {} : { vectors: added });
    updates.push(performance.now() - start);
  }
  const all = updates.map((time) => time.toFixed(1)).join(" ");
  const warm = median(updates.slice(WARM_UPDATES)).toFixed(1);
  print(`update for one changed tool: ${warm} ms, the median after the first ${WARM_UPDATES} (in turn: ${all} ms)`);
}

function timed<T>(work: () => T): readonly [T, string] {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(cpu);
  return [result, `${(performance.now() - start).toFixed(1)} ms (${((user + system) / 1e3).toFixed(1)} ms of CPU)`];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
