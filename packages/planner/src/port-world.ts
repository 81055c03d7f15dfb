import type { Tool } from "@setwise/core";
import type { GraphProblem } from "./hypergraph.ts";
import { type PortSignals, portSignals, type ToolSignals, toolSignals } from "./port-signals.ts";
import type { PortNode } from "./ports.ts";
import { neverSaysRequired, toolPorts } from "./tool-ports.ts";
import { countWords, createVocabulary, type Vocabulary } from "./vocabulary.ts";

/** One tool as links see it. */
export interface WorldTool {
  readonly tool: Tool;
  readonly signals: ToolSignals;
  /** The first of its nodes, and the one behind the last. */
  readonly first: number;
  readonly end: number;
  /** The node of its result as a whole. */
  readonly whole: number;
  /** Keys of its arguments' names. */
  readonly argumentKeys: ReadonlySet<string>;
  /** Of those that it requires. */
  readonly requiredKeys: ReadonlySet<string>;
  /** Keys of the names of what it gives. */
  readonly givenKeys: ReadonlySet<string>;
  readonly problems: readonly GraphProblem[];
}

/**
 * All that links are predicted from. Lists only grow: a tool that changes is added anew, so that numbers stay what they are for
 * every graph that was made from it. Numbers of tools and nodes here are places in these lists; a graph has its own.
 */
export interface PortWorld {
  readonly tools: WorldTool[];
  readonly nodes: PortNode[];
  /** By node. */
  readonly ports: PortSignals[];
  /** By key of an output's name, the number of tools that give it, of those that are there now; see {@link countGivers}. */
  readonly givers: Map<string, number>;
  /** The tools that {@link givers} counts, by their numbers. */
  counted: Uint32Array;
  /** How rare a word is stays as it was when the world was made, so that weights do not move with every tool. */
  readonly vocabulary: Vocabulary;
  readonly assumesRequired: boolean;
}

/** Reads all tools of a list. */
export function readWorld(tools: readonly Tool[]): PortWorld {
  const world: PortWorld = {
    tools: [],
    nodes: [],
    ports: [],
    givers: new Map(),
    counted: new Uint32Array(0),
    vocabulary: createVocabulary(),
    assumesRequired: neverSaysRequired(tools),
  };
  for (const tool of tools) addTool(world, tool);
  countGivers(world, Uint32Array.from(world.tools.keys()));
  const words = world.tools.map(({ signals, first, end }) => {
    const own = new Set(signals.words);
    for (let node = first; node < end; node++) for (const word of world.ports[node]?.name ?? []) own.add(word);
    return own;
  });
  countWords(world.vocabulary, words);
  return world;
}

/** Adds a tool and gives back its number. */
export function addTool(world: PortWorld, tool: Tool): number {
  const ordinal = world.tools.length;
  const signals = toolSignals(tool, world.vocabulary);
  const { nodes, problems } = toolPorts(tool, ordinal, { assumeRequired: world.assumesRequired });
  const first = world.nodes.length;
  const argumentKeys = new Set<string>();
  const requiredKeys = new Set<string>();
  const givenKeys = new Set<string>();
  for (const node of nodes) {
    const port = portSignals(node, tool, signals, world.vocabulary);
    world.nodes.push(node);
    world.ports.push(port);
    if (node.kind === "in" && node.path.length === 1) argumentKeys.add(port.key);
    if (node.required) requiredKeys.add(port.key);
    if (node.kind === "out" && node.path.length > 0) givenKeys.add(port.key);
  }
  const whole = first + nodes.findIndex(({ kind }) => kind === "out");
  const end = world.nodes.length;
  world.tools.push({ tool, signals, first, end, whole, argumentKeys, requiredKeys, givenKeys, problems });
  return ordinal;
}

/**
 * Counts who gives what, of the tools that are there, by their numbers, and gives back the keys whose count has changed. Only tools that are not
 * in the same place as in the list that was counted last are counted. The list must not change any more.
 */
export function countGivers(world: PortWorld, numbers: Uint32Array): ReadonlySet<string> {
  const { tools, givers, counted } = world;
  if (counted === numbers) return new Set();
  const before = new Map<string, number>();
  const add = (number: number, count: number): void => {
    for (const key of tools[number]?.givenKeys ?? []) {
      const known = givers.get(key) ?? 0;
      if (!before.has(key)) before.set(key, known);
      if (known + count > 0) givers.set(key, known + count);
      else givers.delete(key);
    }
  };
  const most = Math.max(counted.length, numbers.length);
  for (let place = endOfSame(counted, numbers, 0); place < most; place = endOfSame(counted, numbers, place + 1)) {
    if (place < counted.length) add(counted[place]!, -1);
    if (place < numbers.length) add(numbers[place]!, 1);
  }
  world.counted = numbers;
  return new Set([...before.keys()].filter((key) => before.get(key) !== (givers.get(key) ?? 0)));
}

function endOfSame(a: Uint32Array, b: Uint32Array, from: number): number {
  const end = Math.min(a.length, b.length);
  let place = from;
  while (place < end && a[place] === b[place]) place++;
  return place;
}
