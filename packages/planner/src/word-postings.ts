import type { PortWorld } from "./port-world.ts";

/** Nodes that one node is compared with by its words: enough that the right one is among them. */
const MOST_FOUND = 96;
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
  readonly byWord: Map<string, number[]>;
  /** The first node that is not in it yet. */
  end: number;
}

export function wordPostings(world: PortWorld, side: "in" | "out"): WordPostings {
  const postings = { world, side, byWord: new Map(), end: 0 };
  postNewNodes(postings);
  return postings;
}

/** Adds the nodes that the world has got since. */
export function postNewNodes(postings: WordPostings): void {
  const { world, side, byWord } = postings;
  const post = (word: string, node: number): void => {
    const list = byWord.get(word);
    if (list === undefined) byWord.set(word, [node]);
    else list.push(node);
  };
  for (let node = postings.end; node < world.nodes.length; node++) {
    const port = world.ports[node];
    if (port === undefined || world.nodes[node]?.kind !== side) continue;
    for (const word of port.name) post(word, node);
    for (const word of port.context) post(word, node);
    for (const word of port.mentions) post(word, node);
    for (const concept of port.concepts) post(conceptKey(concept), node);
  }
  postings.end = world.nodes.length;
}

/** No word has a space in it. */
const conceptKey = (concept: string): string => `concept ${concept}`;

/** The nodes that have most, by rarity, of what a node says, best first. A node of the same tool is none. */
export function nodesByWords({ world, byWord }: WordPostings, node: number, scores: Float64Array): readonly number[] {
  const { nodes, ports, rarity } = world;
  const port = ports[node];
  const tool = nodes[node]?.tool;
  if (port === undefined) return [];
  const asked = [
    ...port.name.map((word) => ({ word, weight: rarity(word) })),
    ...port.concepts.map((concept) => ({ word: conceptKey(concept), weight: CONCEPT_WEIGHT })),
    ...port.mentions.map((word) => ({ word, weight: MENTION_WEIGHT * rarity(word) })),
    ...port.context.map((word) => ({ word, weight: CONTEXT_WEIGHT * rarity(word) })),
  ].sort((a, b) => b.weight - a.weight);
  const touched: number[] = [];
  let room = MOST_POSTINGS;
  for (const { word, weight } of asked) {
    const list = byWord.get(word);
    if (list === undefined || list.length > room) continue;
    room -= list.length;
    for (const other of list) {
      if (nodes[other]?.tool === tool) continue;
      if (scores[other] === 0) touched.push(other);
      scores[other]! += weight;
    }
  }
  touched.sort((a, b) => scores[b]! - scores[a]! || a - b);
  for (const other of touched) scores[other] = 0;
  return touched.slice(0, MOST_FOUND);
}
