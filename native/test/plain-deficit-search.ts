/** What a deficit search answers, written with sets and maps: the definition that the kernels are tested against. */
export interface PlainGraph {
  /** The required inputs of each tool. */
  readonly inputs: readonly (readonly number[])[];
  /** The producers of each input and their weights. */
  readonly producers: readonly ReadonlyMap<number, number>[];
}

export interface PlainQuery {
  readonly terminals: readonly number[];
  readonly grounded: ReadonlySet<number>;
  readonly allow?: ReadonlySet<number>;
  readonly exclude: ReadonlySet<number>;
  readonly relevance?: readonly number[];
  readonly beam: number;
  readonly producers: number;
  readonly depth: number;
  readonly maxTools: number;
  readonly count: number;
}

export interface PlainResult {
  /** In the order in which they were added, the terminal first. */
  readonly tools: readonly number[];
  readonly supports: readonly number[];
  readonly missing: ReadonlySet<number>;
  /** Which tool brings an input. */
  readonly links: ReadonlyMap<number, number>;
  readonly total: number;
}

export function plainDeficitSearch(graph: PlainGraph, query: PlainQuery): PlainResult[] {
  const results = [...new Set(query.terminals)].flatMap((terminal) => searchFrom(graph, query, terminal));
  return results.toSorted(compare).slice(0, query.count);
}

function searchFrom(graph: PlainGraph, query: PlainQuery, terminal: number): PlainResult[] {
  const missing = new Set(graph.inputs[terminal]!.filter((input) => !query.grounded.has(input)));
  const complete: PlainResult[] = [];
  const partial: PlainResult[] = [];
  let beam: PlainResult[] = [{ tools: [terminal], supports: [0], missing, links: new Map(), total: 0 }];
  for (let step = 0; step <= Math.min(query.depth, query.maxTools - 1); step += 1) {
    complete.push(...beam.filter((candidate) => candidate.missing.size === 0));
    const open = beam.filter((candidate) => candidate.missing.size > 0);
    const kept = bestDistinct(
      open,
      (candidate) => `${toolsOf(candidate)} ${[...candidate.missing].toSorted(ascending)}`,
    );
    beam = kept.slice(0, query.beam);
    partial.push(...beam);
    beam = beam.flatMap((parent) => childrenOf(graph, query, parent));
  }
  return bestDistinct(complete.length > 0 ? complete : partial, (candidate) => toolsOf(candidate).join()).slice(
    0,
    query.count,
  );
}

function childrenOf(graph: PlainGraph, query: PlainQuery, parent: PlainResult): PlainResult[] {
  const scored: [tool: number, omega: number][] = [];
  for (const tool of graph.inputs.keys()) {
    if (parent.tools.includes(tool) || query.exclude.has(tool) || query.allow?.has(tool) === false) continue;
    let sum = 0;
    for (const input of [...parent.missing].toSorted(ascending)) sum += graph.producers[input]!.get(tool) ?? 0;
    const omega = sum * (query.relevance?.[tool] ?? 1);
    if (omega > 0) scored.push([tool, omega]);
  }
  scored.sort((left, right) => right[1] - left[1] || left[0] - right[0]);
  return scored.slice(0, query.producers).map(([tool, omega]) => add(graph, query, parent, tool, omega));
}

function add(graph: PlainGraph, query: PlainQuery, parent: PlainResult, tool: number, omega: number): PlainResult {
  const missing = new Set(parent.missing);
  const links = new Map(parent.links);
  for (const input of parent.missing) {
    if (!graph.producers[input]!.has(tool)) continue;
    missing.delete(input);
    links.set(input, tool);
  }
  for (const input of graph.inputs[tool]!) {
    if (query.grounded.has(input)) continue;
    const row = graph.producers[input]!;
    const supporters = parent.tools.filter((chosen) => row.has(chosen) && !depends(graph, links, chosen, tool));
    supporters.sort((left, right) => row.get(right)! - row.get(left)! || left - right);
    if (supporters.length > 0) links.set(input, supporters[0]!);
    else missing.add(input);
  }
  return {
    tools: [...parent.tools, tool],
    supports: [...parent.supports, omega],
    missing,
    links,
    total: parent.total + omega,
  };
}

/** Whether `tool` needs `other`, through any number of links. */
function depends(graph: PlainGraph, links: ReadonlyMap<number, number>, tool: number, other: number): boolean {
  if (tool === other) return true;
  return graph.inputs[tool]!.some((input) => links.has(input) && depends(graph, links, links.get(input)!, other));
}

/** Best first, of those with an equal key only the best. */
function bestDistinct(candidates: readonly PlainResult[], key: (candidate: PlainResult) => string): PlainResult[] {
  const best = new Map<string, PlainResult>();
  for (const candidate of candidates.toSorted(compare)) {
    if (!best.has(key(candidate))) best.set(key(candidate), candidate);
  }
  return [...best.values()];
}

function compare(left: PlainResult, right: PlainResult): number {
  return (
    left.missing.size - right.missing.size ||
    left.tools.length - right.tools.length ||
    right.total - left.total ||
    compareLists(toolsOf(left), toolsOf(right)) ||
    compareLists([...left.missing].toSorted(ascending), [...right.missing].toSorted(ascending)) ||
    left.tools[0]! - right.tools[0]!
  );
}

function compareLists(left: readonly number[], right: readonly number[]): number {
  for (const [position, value] of left.entries()) if (value !== right[position]) return value - right[position]!;
  return 0;
}

function toolsOf(candidate: PlainResult): number[] {
  return [...candidate.tools].toSorted(ascending);
}

function ascending(left: number, right: number): number {
  return left - right;
}
