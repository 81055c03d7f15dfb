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
  /** By key of an output's name, the number of tools that give it; a tool that changed is one tool. */
  readonly givers: Map<string, number>;
  /** Which tool, by id, was counted for which key. */
  readonly counted: Set<string>;
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
    counted: new Set(),
    vocabulary: createVocabulary(),
    assumesRequired: neverSaysRequired(tools),
  };
  for (const tool of tools) addTool(world, tool);
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
  for (const key of givenKeys) {
    const giver = `${key}\n${tool.id}`;
    if (world.counted.has(giver)) continue;
    world.counted.add(giver);
    world.givers.set(key, (world.givers.get(key) ?? 0) + 1);
  }
  const whole = first + nodes.findIndex(({ kind }) => kind === "out");
  world.tools.push({ tool, signals, first, end: world.nodes.length, whole, argumentKeys, requiredKeys, problems });
  return ordinal;
}
