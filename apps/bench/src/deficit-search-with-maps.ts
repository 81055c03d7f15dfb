/** The graph of tools as one usually writes it. */
export interface MappedGraph {
  /** The inputs that each tool requires. */
  readonly inputs: Map<number, readonly number[]>;
  /** For each input its producers and their weights, strongest first. */
  readonly producers: Map<number, ReadonlyMap<number, number>>;
}

export interface MappedQuery {
  readonly terminals: readonly number[];
  readonly grounded: ReadonlySet<number>;
  /** One factor a tool. */
  readonly relevance?: ArrayLike<number>;
  readonly beam: number;
  readonly producers: number;
  readonly depth: number;
  readonly maxTools: number;
  readonly count: number;
}

interface Candidate {
  readonly tools: readonly number[];
  readonly missing: ReadonlySet<number>;
  readonly links: ReadonlyMap<number, number>;
  readonly total: number;
}

/** The same beam search with sets and maps, as one usually writes it: the third side of the benchmark. */
export function searchWithMaps(graph: MappedGraph, query: MappedQuery): Candidate[] {
  const results = query.terminals.flatMap((terminal) => searchFrom(graph, query, terminal));
  return results.sort(compare).slice(0, query.count);
}

function searchFrom(graph: MappedGraph, query: MappedQuery, terminal: number): Candidate[] {
  const missing = new Set(graph.inputs.get(terminal)?.filter((input) => !query.grounded.has(input)));
  const start: Candidate = { tools: [terminal], missing, links: new Map(), total: 0 };
  if (missing.size === 0) return [start];
  const complete: Candidate[] = [];
  const partial: Candidate[] = [start];
  let beam: Candidate[] = [start];
  for (let step = 1; step <= Math.min(query.depth, query.maxTools - 1); step += 1) {
    // Candidates with more tools rank behind.
    if (complete.length >= query.count) break;
    const children = beam.flatMap((parent) => expand(graph, query, parent)).sort(compare);
    const seen = new Set<string>();
    beam = [];
    for (const child of children) {
      const key = `${sortedTools(child)}|${[...child.missing].sort((a, b) => a - b)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (child.missing.size === 0) complete.push(child);
      else if (beam.length < query.beam) beam.push(child);
    }
    partial.push(...beam);
  }
  if (complete.length > 0) return complete.slice(0, query.count);
  const best = new Map<string, Candidate>();
  for (const candidate of partial.sort(compare)) {
    const key = sortedTools(candidate).join();
    if (!best.has(key)) best.set(key, candidate);
  }
  return [...best.values()].slice(0, query.count);
}

function expand(graph: MappedGraph, query: MappedQuery, parent: Candidate): Candidate[] {
  const scores = new Map<number, number>();
  for (const input of [...parent.missing].sort((a, b) => a - b)) {
    for (const [tool, weight] of graph.producers.get(input) ?? []) {
      scores.set(tool, (scores.get(tool) ?? 0) + weight);
    }
  }
  for (const tool of parent.tools) scores.delete(tool);
  if (query.relevance !== undefined) {
    for (const [tool, score] of scores) scores.set(tool, score * (query.relevance[tool] ?? 1));
  }
  const best = [...scores].sort((left, right) => right[1] - left[1] || left[0] - right[0]).slice(0, query.producers);
  return best.map(([tool, score]) => add(graph, query, parent, tool, score));
}

function add(graph: MappedGraph, query: MappedQuery, parent: Candidate, tool: number, score: number): Candidate {
  const missing = new Set<number>();
  const links = new Map(parent.links);
  for (const input of parent.missing) {
    if (graph.producers.get(input)?.has(tool)) links.set(input, tool);
    else missing.add(input);
  }
  for (const input of graph.inputs.get(tool) ?? []) {
    if (query.grounded.has(input)) continue;
    const supporter = findSupporter(graph, parent, links, tool, input);
    if (supporter === undefined) missing.add(input);
    else links.set(input, supporter);
  }
  return { tools: [...parent.tools, tool], missing, links, total: parent.total + score };
}

/** The chosen tool that supports an input most and does not depend on the tool that needs it. */
function findSupporter(
  graph: MappedGraph,
  parent: Candidate,
  links: ReadonlyMap<number, number>,
  tool: number,
  input: number,
): number | undefined {
  const producers = graph.producers.get(input);
  let best: number | undefined;
  let bestWeight = 0;
  for (const chosen of parent.tools) {
    const weight = producers?.get(chosen) ?? 0;
    if (weight === 0 || weight < bestWeight || (weight === bestWeight && chosen > (best ?? 0))) continue;
    if (dependsOn(graph, links, chosen, tool)) continue;
    best = chosen;
    bestWeight = weight;
  }
  return best;
}

function dependsOn(graph: MappedGraph, links: ReadonlyMap<number, number>, tool: number, other: number): boolean {
  for (const input of graph.inputs.get(tool) ?? []) {
    const supporter = links.get(input);
    if (supporter !== undefined && (supporter === other || dependsOn(graph, links, supporter, other))) return true;
  }
  return false;
}

function compare(left: Candidate, right: Candidate): number {
  return (
    left.missing.size - right.missing.size ||
    left.tools.length - right.tools.length ||
    right.total - left.total ||
    compareLists(sortedTools(left), sortedTools(right)) ||
    compareLists(
      [...left.missing].sort((a, b) => a - b),
      [...right.missing].sort((a, b) => a - b),
    ) ||
    (left.tools[0] ?? 0) - (right.tools[0] ?? 0)
  );
}

function compareLists(left: readonly number[], right: readonly number[]): number {
  for (const [i, value] of left.entries()) {
    const difference = value - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function sortedTools(candidate: Candidate): number[] {
  return [...candidate.tools].sort((a, b) => a - b);
}
