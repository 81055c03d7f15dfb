import { DeficitSearch, type DeficitSearchQuery } from "@setwise/native";
import { type MappedGraph, type MappedQuery, searchWithMaps } from "./deficit-search-with-maps.ts";
import { kernelLevels } from "./kernel-levels.ts";
import { measure, type Measurement } from "./measurement.ts";
import { sequence } from "./random.ts";

const SIZES = [500, 5_000, 100_000];
/** The size that is measured with factors of relevance as well. */
const SIZE_WITH_RELEVANCE = 5_000;
const QUERIES = 256;
const TERMINALS = 3;
const ROUNDS = 9;
const LIMITS = { beam: 5, producers: 3, depth: 6, maxTools: 8, count: 5 };
/** How many tools of a hundred require 0, 1, … 6 inputs. */
const INPUTS_OF_A_HUNDRED = [10, 15, 20, 20, 15, 10, 10];
/** Of a hundred kinds of input, how many a request brings. */
const GIVEN_OF_A_HUNDRED = 20;

/**
 * The beam search over random graphs of tools: native (every level runs the same code), TypeScript, and sets and maps
 * as usually written. All three must give the same answers.
 */
export function deficitSearch(): readonly Measurement[] {
  return SIZES.flatMap((size) => {
    const random = sequence(size);
    const graph = makeGraph(size, random);
    const mapped = mapGraph(graph);
    const queries = Array.from({ length: QUERIES }, () => makeQuery(graph, random));
    const relevance = Float32Array.from({ length: size }, random);
    const related = size === SIZE_WITH_RELEVANCE ? [queries.map((query) => ({ ...query, relevance }))] : [];
    return [queries, ...related].map((queries) => measureQueries(graph, mapped, queries));
  });
}

function measureQueries(graph: Graph, mapped: MappedGraph, queries: readonly DeficitSearchQuery[]): Measurement {
  const levels = kernelLevels();
  const searches = levels
    .filter((_, i) => i === 0 || i === levels.length - 1)
    .map(({ kernels }) => ({ name: kernels.implementation, search: new DeficitSearch({ ...graph, kernels }) }));
  const mappedQueries = queries.map(mapQuery);
  for (const { search } of searches) checkAnswers(search, queries, mapped);
  const complete = queries.filter((query) => searches[0]?.search.search(query).missingOffsets[1] === 0).length;
  const { length: inputs } = graph.kinds;
  const size = graph.inputs.length - 1;
  const at = [
    `${size} tools, ${(inputs / size).toFixed(1)} inputs a tool, ${(graph.producers.tools.length / inputs).toFixed(0)} producers an input`,
    `B ${LIMITS.beam}, K ${LIMITS.producers}, depth ${LIMITS.depth}, ${TERMINALS} terminals${queries[0]?.relevance === undefined ? "" : ", with relevance"}`,
    `complete for ${complete} of ${queries.length} queries`,
  ].join("; ");
  const sides = [
    ...searches.map(({ name, search }) => ({ name, run: () => queries.forEach((query) => search.search(query)) })),
    { name: "sets and maps", run: () => mappedQueries.forEach((query) => searchWithMaps(mapped, query)) },
  ];
  const measurement = measure("deficit beam search", at, sides, { rounds: ROUNDS, queries: queries.length });
  for (const { search } of searches) search.dispose();
  return measurement;
}

interface Graph {
  readonly inputs: Uint32Array;
  /** What kind of thing each input is: a user id, a date, a token. */
  readonly kinds: Uint32Array;
  readonly producers: { readonly offsets: Uint32Array; readonly tools: Uint32Array; readonly weights: Float32Array };
}

/**
 * Kinds of input and tools with heavy-tailed popularity: a kind has tens of producers, now and then over a hundred, and
 * a few tools make very many kinds. Every input of a kind can be made by the kind's producers, each with a weight of
 * its own. Cycles are everywhere.
 */
function makeGraph(size: number, random: () => number): Graph {
  const inputs = new Uint32Array(size + 1);
  for (let tool = 0; tool < size; tool += 1) inputs[tool + 1] = inputs[tool]! + drawCount(random);
  const kindCount = Math.ceil(size / 4) + 16;
  const makers = Array.from({ length: kindCount }, () => drawMakers(size, random));
  const inputCount = inputs[size]!;
  const kinds = Uint32Array.from({ length: inputCount }, () => Math.floor(kindCount * random() ** 2));
  const offsets = new Uint32Array(inputCount + 1);
  for (let input = 0; input < inputCount; input += 1) {
    offsets[input + 1] = offsets[input]! + makers[kinds[input]!]!.length;
  }
  const tools = new Uint32Array(offsets[inputCount]!);
  const weights = new Float32Array(tools.length);
  for (let input = 0; input < inputCount; input += 1) {
    for (const [i, maker] of makers[kinds[input]!]!.entries()) {
      tools[offsets[input]! + i] = maker;
      // Few strong links, many weak ones, as similarities of names and descriptions are.
      weights[offsets[input]! + i] = 0.05 + 0.95 * random() ** 3;
    }
  }
  return { inputs, kinds, producers: { offsets, tools, weights } };
}

function drawCount(random: () => number): number {
  let place = random() * 100;
  for (const [count, share] of INPUTS_OF_A_HUNDRED.entries()) {
    place -= share;
    if (place < 0) return count;
  }
  return INPUTS_OF_A_HUNDRED.length - 1;
}

/** A dozen tools or more, 30 on average, seldom over 130; low ordinals are popular. */
function drawMakers(size: number, random: () => number): number[] {
  const count = Math.floor(12 / Math.max(0.04, random()) ** 0.75);
  const makers = new Set<number>();
  while (makers.size < count) makers.add(Math.floor(size * random() ** 3));
  return [...makers];
}

/** Terminals with something to make, and inputs given for the tools that stand close behind them, kind by kind. */
function makeQuery(graph: Graph, random: () => number): DeficitSearchQuery {
  const { inputs, kinds } = graph;
  const terminals = new Set<number>();
  while (terminals.size < TERMINALS) {
    const tool = Math.floor(random() * (inputs.length - 1));
    if (inputs[tool + 1]! - inputs[tool]! >= 2) terminals.add(tool);
  }
  const salt = Math.floor(random() * 2 ** 31);
  const grounded: number[] = [];
  for (const tool of reach(graph, terminals)) {
    for (let input = inputs[tool]!; input < inputs[tool + 1]!; input += 1) {
      const drawn = Math.imul(kinds[input]! ^ salt, 0x9e3779b1) >>> 0;
      if (drawn / 2 ** 32 < GIVEN_OF_A_HUNDRED / 100) grounded.push(input);
    }
  }
  return { terminals: Uint32Array.from(terminals), grounded: Uint32Array.from(grounded), ...LIMITS };
}

/** The terminals and their strongest producers, two steps back. */
function reach({ inputs, producers }: Graph, terminals: ReadonlySet<number>): Set<number> {
  const reached = new Set(terminals);
  let front = [...terminals];
  for (let step = 0; step < 2; step += 1) {
    const behind: number[] = [];
    for (const tool of front) {
      for (let input = inputs[tool]!; input < inputs[tool + 1]!; input += 1) {
        const row = Array.from({ length: producers.offsets[input + 1]! - producers.offsets[input]! }, (_, i) => i);
        const at = producers.offsets[input]!;
        row.sort((left, right) => producers.weights[at + right]! - producers.weights[at + left]!);
        behind.push(...row.slice(0, LIMITS.producers).map((i) => producers.tools[at + i]!));
      }
    }
    front = behind.filter((tool) => !reached.has(tool));
    for (const tool of front) reached.add(tool);
  }
  return reached;
}

function mapGraph({ inputs, producers }: Graph): MappedGraph {
  const mapped: MappedGraph = { inputs: new Map(), producers: new Map() };
  for (let tool = 0; tool + 1 < inputs.length; tool += 1) {
    const own: number[] = [];
    for (let input = inputs[tool]!; input < inputs[tool + 1]!; input += 1) {
      own.push(input);
      const row: [number, number][] = [];
      for (let at = producers.offsets[input]!; at < producers.offsets[input + 1]!; at += 1) {
        if (producers.tools[at] !== tool) row.push([producers.tools[at]!, producers.weights[at]!]);
      }
      mapped.producers.set(input, new Map(row.sort((left, right) => right[1] - left[1] || left[0] - right[0])));
    }
    mapped.inputs.set(tool, own);
  }
  return mapped;
}

function mapQuery(query: DeficitSearchQuery): MappedQuery {
  const { relevance } = query;
  return {
    terminals: [...query.terminals],
    grounded: new Set(query.grounded),
    ...(relevance === undefined ? {} : { relevance }),
    ...LIMITS,
  };
}

/** Both give the same tools and, to the last bit, the same totals. */
function checkAnswers(search: DeficitSearch, queries: readonly DeficitSearchQuery[], mapped: MappedGraph): void {
  for (const query of queries) {
    const { tools, toolOffsets, totals } = search.search(query);
    const ours = Array.from(totals, (total, i) => [total, ...tools.slice(toolOffsets[i], toolOffsets[i + 1]).sort()]);
    const theirs = searchWithMaps(mapped, mapQuery(query)).map(({ total, tools }) => [
      total,
      ...tools.toSorted((left, right) => left - right),
    ]);
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error("The deficit searches differ.");
  }
}
