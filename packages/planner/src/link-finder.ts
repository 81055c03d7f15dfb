import { type EvidenceMarks, evidenceFor, evidenceNames, marksFor } from "./link-evidence.ts";
import { linkWeight } from "./link-weight.ts";
import { addNewPorts, type NearestPorts, nearestPorts, portsNearRows } from "./nearest-ports.ts";
import { addMeaning, checkVectors, type PortMeaning, portMeaning } from "./port-meaning.ts";
import type { PortVectors } from "./port-vectors.ts";
import { addTool, type PortWorld, readWorld } from "./port-world.ts";
import type { Tool } from "@setwise/core";
import { nodesByWords, postNewNodes, type WordPostings, wordPostings } from "./word-postings.ts";

/** Where links are looked for: a world, and its nodes by words and by meaning, on both sides. Grows with the world. */
export interface LinkFinder {
  readonly world: PortWorld;
  readonly meaning: PortMeaning | undefined;
  readonly outputs: WordPostings;
  readonly nearOutputs: NearestPorts | undefined;
  /** Made when a tool is first added: links from its outputs are looked for among the inputs. */
  inputs: WordPostings | undefined;
  nearInputs: NearestPorts | undefined;
  /** Of the last {@link weigher}. */
  marks: EvidenceMarks | undefined;
}

/** A link that is predicted; its nodes are numbers of the world. */
export interface FoundLink {
  readonly from: number;
  readonly weight: number;
}

export function createLinkFinder(tools: readonly Tool[], vectors: PortVectors | undefined): LinkFinder {
  const world = readWorld(tools);
  const meaning = vectors === undefined ? undefined : portMeaning(world, vectors);
  return {
    world,
    meaning,
    outputs: wordPostings(world, "out"),
    nearOutputs: meaning === undefined ? undefined : nearestPorts(world, meaning, "out"),
    inputs: undefined,
    nearInputs: undefined,
    marks: undefined,
  };
}

/** Adds tools to the world and gives back their numbers. */
export function addTools(finder: LinkFinder, tools: readonly Tool[], vectors: PortVectors | undefined): number[] {
  const { world, meaning, outputs, nearOutputs } = finder;
  const given = vectors ?? { texts: [], values: new Float32Array(0), dimensions: meaning?.dimensions ?? 0 };
  // Before anything grows: a text without a vector is refused.
  if (meaning !== undefined) checkVectors(readWorld(tools), meaning, given);
  finder.inputs ??= wordPostings(world, "in");
  if (meaning !== undefined) finder.nearInputs ??= nearestPorts(world, meaning, "in");
  const added = tools.map((tool) => addTool(world, tool));
  if (meaning !== undefined) addMeaning(world, meaning, given);
  for (const postings of [outputs, finder.inputs]) postNewNodes(postings);
  for (const near of [nearOutputs, finder.nearInputs]) if (near !== undefined) addNewPorts(near);
  return added;
}

/** For each node asked about, the nodes of the other side that are worth comparing, of tools that are there, ascending. */
export function candidatesFor(
  finder: LinkFinder,
  nodes: readonly number[],
  side: "in" | "out",
  isLive: (tool: number) => boolean,
): number[][] {
  const { world, meaning } = finder;
  const postings = side === "out" ? finder.outputs : finder.inputs;
  const near = side === "out" ? finder.nearOutputs : finder.nearInputs;
  const rows = meaning === undefined ? [] : [...new Set(nodes.map((node) => meaning.rows[node] ?? 0))];
  const nearRows = near === undefined ? undefined : portsNearRows(near, rows);
  const scores = new Float64Array(world.nodes.length);
  return nodes.map((node) => {
    const found = new Set(postings === undefined ? [] : nodesByWords(postings, node, scores, isLive));
    for (const other of nearRows?.get(meaning?.rows[node] ?? 0) ?? []) {
      if (world.nodes[other]?.tool !== world.nodes[node]?.tool) found.add(other);
    }
    return [...found].sort((a, b) => a - b);
  });
}

/** What a name or a description tells of weighs half as much as what a schema says: enough for order and plans, too little to add a tool by itself. */
const TOLD = 0.5;

/**
 * Gives, for an input, the weight of a link into it from an output, until it is asked for another input. Outputs of one tool are best
 * asked about one behind the other.
 */
export function weigher(finder: LinkFinder): (input: number) => (output: number) => number {
  const { world, meaning } = finder;
  const marks = marksFor(world, finder.marks);
  finder.marks = marks;
  const evidence = new Float64Array(evidenceNames.length);
  const level = meaning === undefined ? "words" : "meaning";
  return (input) => {
    const read = evidenceFor(world, meaning, input, marks);
    return (output) => {
      read(output, evidence);
      return linkWeight(evidence, level) * (world.nodes[output]?.told === undefined ? 1 : TOLD);
    };
  };
}
