import { DeficitExpansion, nodesOf, portName, producersOf, type ToolHypergraph } from "@setwise/planner";
import { type PlannedQuery, type Half, halfOf } from "./link-gold.ts";
import { rankedBy, type Relevance } from "./planner-graph-relevance.ts";

/** How expansion is set. */
export interface ProducerSetting {
  readonly leastWeight: number;
  readonly exponent: number;
  /** The most relevant tools that count, beside those that bring something to them. */
  readonly tools: number;
  readonly floor: number;
}

export interface ProducerQuality {
  readonly half: Half;
  readonly f1: number;
  readonly exact: number;
  /** 1 when every tool that was found comes before those that it brings something to. */
  readonly ordered: number;
  readonly complete: number;
}

/** What a query's plan says: its tools, what is fed by a call, and the tools whose results go nowhere. */
interface GoldPlan {
  readonly tools: ReadonlySet<number>;
  readonly terminals: readonly number[];
  /** Node ordinals of inputs that an earlier result fills. */
  readonly fed: ReadonlySet<number>;
}

function goldPlan(graph: ToolHypergraph, { plan }: PlannedQuery): GoldPlan | undefined {
  const edges = plan?.edges ?? [];
  if (plan === undefined || edges.length === 0) return undefined;
  const calls = plan.calls.map((id) => graph.catalog.ordinalOf(id) ?? -1);
  if (calls.includes(-1)) return undefined;
  const sources = new Set(edges.map(({ from }) => from));
  const fed = new Set<number>();
  for (const { to, input } of edges) {
    const node = nodesOf(graph, calls[to] ?? 0, "takes").find((place) => portName(graph.nodes[place]!) === input);
    if (node !== undefined) fed.add(node);
  }
  const terminals = [...new Set(calls.filter((_, place) => !sources.has(place)))];
  return { tools: new Set(calls), terminals, fed };
}

/**
 * The producers that expansion finds for the gold terminal tools of a plan, all values of the question being known: an input of a gold
 * tool is available unless an earlier call fills it; of another tool, when a gold tool has an available one of that name.
 */
export async function producerQuality(
  graph: ToolHypergraph,
  queries: readonly PlannedQuery[],
  relevance: Relevance,
  { leastWeight, exponent, tools: count, floor }: ProducerSetting,
): Promise<readonly ProducerQuality[]> {
  const found: ProducerQuality[] = [];
  for (const query of queries) {
    const gold = goldPlan(graph, query);
    if (gold === undefined) continue;
    const scores = await relevance(query.query);
    const among = relatedTools(graph, [...gold.terminals, ...rankedBy(scores).slice(0, count)]);
    const alsoRequired = Uint32Array.from(gold.fed);
    using expansion = new DeficitExpansion(graph, { leastWeight, alsoRequired, among, floor });
    const grounded = groundedNodes(graph, gold);
    const tools = new Set<number>();
    const place = new Map<number, number>();
    let isComplete = true;
    let isForward = true;
    for (const terminal of gold.terminals) {
      const [best] = expansion.expand({
        terminals: Uint32Array.of(terminal),
        grounded,
        relevance: scores,
        exponent,
        count: 1,
      });
      if (best === undefined) continue;
      isComplete &&= best.missing.length === 0;
      place.clear();
      for (const [position, tool] of best.tools.entries()) place.set(tool, position);
      for (const { from, to } of best.links) {
        isForward &&= (place.get(graph.nodes[from]?.tool ?? -1) ?? 0) < (place.get(graph.nodes[to]?.tool ?? -1) ?? 0);
      }
      for (const tool of best.tools) tools.add(tool);
    }
    const terminals = new Set(gold.terminals);
    const wanted = [...gold.tools].filter((tool) => !terminals.has(tool));
    const got = [...tools].filter((tool) => !terminals.has(tool));
    const both = got.filter((tool) => gold.tools.has(tool)).length;
    const f1 = wanted.length + got.length === 0 ? 1 : (2 * both) / (wanted.length + got.length);
    found.push({
      half: halfOf(query.id),
      f1,
      exact: both === wanted.length && both === got.length ? 1 : 0,
      ordered: isForward ? 1 : 0,
      complete: isComplete ? 1 : 0,
    });
  }
  return found;
}

/** Tools, and two steps of those that bring what they take. */
function relatedTools(graph: ToolHypergraph, tools: readonly number[]): Uint32Array {
  const related = new Set(tools);
  let frontier = [...related];
  for (let hop = 0; hop < 2; hop++) {
    const nodes = frontier.flatMap((tool) => nodesOf(graph, tool, "takes"));
    frontier = nodes
      .flatMap((node) => producersOf(graph, node).map(({ tool }) => tool))
      .filter((tool) => !related.has(tool));
    for (const tool of frontier) related.add(tool);
  }
  return Uint32Array.from(related);
}

function groundedNodes(graph: ToolHypergraph, { tools, fed }: GoldPlan): Uint32Array {
  const { nodes } = graph;
  const names = new Set<string>();
  const key = (node: number): string =>
    portName(nodes[node]!)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "");
  for (const tool of tools) {
    for (const node of nodesOf(graph, tool, "takes"))
      if (nodes[node]?.required === true && !fed.has(node)) names.add(key(node));
  }
  const grounded: number[] = [];
  for (const [node, { tool, kind }] of nodes.entries()) {
    if (kind !== "in" || fed.has(node)) continue;
    if (tools.has(tool) || names.has(key(node))) grounded.push(node);
  }
  return Uint32Array.from(grounded);
}
