import type { PortWorld } from "./port-world.ts";
import { CONCEPTS } from "./word-concepts.ts";

/** Nodes that one node is compared with by its words: enough that the right one is among them. */
const MOST_FOUND = 96;
/** So many of these may be of tools that are there no more. */
const MOST_GONE = 24;
/** Postings read for one node: rare words come first, so that the rest of a long list tells nothing. */
const MOST_POSTINGS = 4_096;
/** A word of a description, or of what lies around, counts less than one of the name. */
const MENTION_WEIGHT = 0.5;
const CONTEXT_WEIGHT = 0.35;
const CONCEPT_WEIGHT = 1;

/** Nodes of one side by their words. Grows with the world. */
export interface WordPostings {
  readonly world: PortWorld;
  readonly side: "in" | "out";
  /** By word. */
  readonly byWord: number[][];
  /** By bit. */
  readonly byConcept: number[][];
  /** The first node that is not in it yet. */
  end: number;
}

export function wordPostings(world: PortWorld, side: "in" | "out"): WordPostings {
  const postings: WordPostings = { world, side, byWord: [], byConcept: [], end: 0 };
  postNewNodes(postings);
  return postings;
}

/** Adds the nodes that the world has got since. */
export function postNewNodes(postings: WordPostings): void {
  const { world, side, byWord, byConcept } = postings;
  for (let node = postings.end; node < world.nodes.length; node++) {
    const port = world.ports[node];
    if (port === undefined || world.nodes[node]?.kind !== side) continue;
    for (const words of [port.name, port.context, port.mentions]) {
      for (const word of words) (byWord[word] ??= []).push(node);
    }
    for (let bit = 0; bit < CONCEPTS; bit++) if ((port.concepts >> bit) & 1) (byConcept[bit] ??= []).push(node);
  }
  postings.end = world.nodes.length;
}

/**
 * The nodes that have most, by rarity, of what a node says, best first. A node of the same tool is none.
 *
 * @param isLive Whether a tool of the world is there: lists also hold what is there no more.
 * @param scores Zeros, one for each node of the world; zeros again afterwards.
 */
export function nodesByWords(
  postings: WordPostings,
  node: number,
  scores: Float64Array,
  isLive: (tool: number) => boolean,
): readonly number[] {
  const { world, byWord, byConcept } = postings;
  const port = world.ports[node];
  if (port === undefined) return [];
  const { rarity } = world.vocabulary;
  const { first = 0, end = 0 } = world.tools[world.nodes[node]?.tool ?? -1] ?? {};
  const asked: { readonly list: readonly number[]; readonly weight: number }[] = [];
  const ask = (words: readonly number[], factor: number): void => {
    for (const word of words) {
      const list = byWord[word];
      if (list !== undefined) asked.push({ list, weight: factor * (rarity[word] ?? 0) });
    }
  };
  ask(port.name, 1);
  ask(port.mentions, MENTION_WEIGHT);
  ask(port.context, CONTEXT_WEIGHT);
  for (const [bit, list] of byConcept.entries()) {
    if (list !== undefined && (port.concepts >> bit) & 1) asked.push({ list, weight: CONCEPT_WEIGHT });
  }
  asked.sort((a, b) => b.weight - a.weight);
  const touched: number[] = [];
  let room = MOST_POSTINGS;
  for (const { list, weight } of asked) {
    if (list.length > room) continue;
    room -= list.length;
    for (const other of list) {
      if (scores[other] === 0) touched.push(other);
      scores[other]! += weight;
    }
  }
  const others = touched.filter((other) => other < first || other >= end);
  const isThere = (other: number): boolean => isLive(world.nodes[other]!.tool);
  let best = bestOf(others, scores);
  // A few that are there no more take nobody's place: looking at all of them would take longer than all the rest.
  if (best.length - best.filter(isThere).length > MOST_GONE) best = bestOf(others.filter(isThere), scores);
  for (const other of touched) scores[other] = 0;
  return best;
}

/** The nodes with the largest scores, best first, equal ones by number. */
function bestOf(nodes: readonly number[], scores: Float64Array): readonly number[] {
  const best: number[] = [];
  const isBefore = (a: number, b: number): boolean => scores[a]! > scores[b]! || (scores[a] === scores[b] && a < b);
  for (const node of nodes) {
    if (best.length === MOST_FOUND && !isBefore(node, best[MOST_FOUND - 1]!)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(best[middle]!, node)) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, node);
    if (best.length > MOST_FOUND) best.pop();
  }
  return best;
}
