import { VectorIndex } from "@setwise/native";
import type { ToolDefinition } from "@setwise/core";
import { toolProfile } from "./tool-profile.ts";

/** Nearest tools looked at for each tool, by vectors and by words each: real copies are few, and more only cost time. */
export const DEFAULT_NEIGHBOURS = 10;
/** Tools asked for at once; answers of a batch are all the memory that a search takes. */
const BATCH = 512;
/** A word of more tools than this finds nobody: it would make lists as long as the catalog. */
const MOST_TOOLS_OF_A_WORD = 400;
/** With a name of even more tools each is compared with so many that follow. */
const LINKS_OF_A_LONG_NAME = 2;
/** Of a tool with more words the rarest are asked. */
const MOST_WORDS_ASKED = 24;
/** A word of the name counts as much as so many of the description. */
const NAME_WEIGHT = 3;

/** Two tools by ordinal, the lower first, and the cosine of their vectors where it is known. */
export interface CandidatePair {
  readonly left: number;
  readonly right: number;
  readonly cosine: number | undefined;
}

/** Vectors of tools: rows × dimensions numbers of length 1, in the order of the tools. */
export interface ToolVectors {
  readonly values: Float32Array;
  readonly dimensions: number;
  /** The encoder's name: which cosines mean anything depends on it. */
  readonly encoder: string;
}

/** Pairs worth judging: nearest neighbours by vectors, and by rare words that both have. At most 2 × neighbours for each tool. */
export function candidatePairs(
  tools: readonly ToolDefinition[],
  options: { readonly vectors: ToolVectors | undefined; readonly candidateFrom: number; readonly neighbours: number },
): readonly CandidatePair[] {
  const { vectors, candidateFrom, neighbours } = options;
  const size = tools.length;
  const found = new Set<number>();
  const add = (a: number, b: number): void => void found.add(a < b ? a * size + b : b * size + a);
  if (vectors !== undefined) nearestByVectors(vectors, candidateFrom, neighbours, add);
  nearestByWords(tools, neighbours, add);
  return [...found]
    .sort((a, b) => a - b)
    .map((key) => {
      const [left, right] = [Math.floor(key / size), key % size];
      return { left, right, cosine: vectors === undefined ? undefined : cosine(vectors, left, right) };
    });
}

function nearestByVectors(
  { values, dimensions }: ToolVectors,
  candidateFrom: number,
  neighbours: number,
  add: (a: number, b: number) => void,
): void {
  const index = new VectorIndex({ dimensions, vectors: values, precision: "int8" });
  try {
    for (let start = 0; start < index.rows; start += BATCH) {
      const end = Math.min(index.rows, start + BATCH);
      const { ids, scores, count } = index.search(
        values.subarray(start * dimensions, end * dimensions),
        neighbours + 1,
      );
      for (let place = 0; place < ids.length; place++) {
        const tool = start + Math.floor(place / count);
        const other = ids[place]!;
        if (other !== tool && scores[place]! >= candidateFrom) add(tool, other);
      }
    }
  } finally {
    index.dispose();
  }
}

/** For each tool the tools that share most of its rare words, weighted by rarity, through lists of tools by word. */
function nearestByWords(
  tools: readonly ToolDefinition[],
  neighbours: number,
  add: (a: number, b: number) => void,
): void {
  const toolsByWord = new Map<string, number[]>();
  const wordsOf = tools.map((tool) => weightedWords(tool));
  for (const [ordinal, words] of wordsOf.entries()) {
    for (const word of words.keys()) {
      const list = toolsByWord.get(word);
      if (list === undefined) toolsByWord.set(word, [ordinal]);
      else list.push(ordinal);
    }
  }
  linkLongNames(toolsByWord, add);
  const shared = new Float64Array(tools.length);
  for (const [ordinal, words] of wordsOf.entries()) {
    const touched: number[] = [];
    for (const [word, weight] of rarest(words, toolsByWord)) {
      const list = toolsByWord.get(word) ?? [];
      const rarity = Math.log(1 + tools.length / list.length);
      for (const other of list) {
        if (other === ordinal) continue;
        if (shared[other] === 0) touched.push(other);
        shared[other]! += rarity * Math.min(weight, wordsOf[other]?.get(word) ?? 0);
      }
    }
    best(touched, shared, neighbours).forEach((other) => add(ordinal, other));
    for (const other of touched) shared[other] = 0;
  }
}

/** Tools of one name that are too many for a list are compared with the next ones in it, so that they still hang together. */
function linkLongNames(toolsByWord: ReadonlyMap<string, readonly number[]>, add: (a: number, b: number) => void): void {
  for (const [word, list] of toolsByWord) {
    if (!word.startsWith("= ") || list.length <= MOST_TOOLS_OF_A_WORD) continue;
    for (const [place, tool] of list.entries()) {
      for (const other of list.slice(place + 1, place + 1 + LINKS_OF_A_LONG_NAME)) add(tool, other);
    }
  }
}

function weightedWords(tool: ToolDefinition): ReadonlyMap<string, number> {
  const profile = toolProfile(tool);
  const words = new Map<string, number>();
  for (const word of profile.descriptionObjects) words.set(word, 1);
  for (const word of profile.nameObjects) words.set(word, NAME_WEIGHT);
  const name = [...profile.nameObjects].sort().join(" ");
  // All of a name together is the rarest word of all.
  if (name !== "") words.set(`= ${name}`, NAME_WEIGHT);
  return words;
}

function rarest(
  words: ReadonlyMap<string, number>,
  toolsByWord: ReadonlyMap<string, readonly number[]>,
): readonly (readonly [string, number])[] {
  return [...words]
    .map(([word, weight]) => ({ word, weight, tools: toolsByWord.get(word)?.length ?? 0 }))
    .filter(({ tools }) => tools > 1 && tools <= MOST_TOOLS_OF_A_WORD)
    .sort((a, b) => a.tools - b.tools || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_WORDS_ASKED)
    .map(({ word, weight }) => [word, weight] as const);
}

/** The ones that share most, ties by ordinal. */
function best(touched: readonly number[], shared: Float64Array, most: number): readonly number[] {
  return touched.toSorted((a, b) => shared[b]! - shared[a]! || a - b).slice(0, most);
}

function cosine({ values, dimensions }: ToolVectors, left: number, right: number): number {
  let sum = 0;
  const [x, y] = [left * dimensions, right * dimensions];
  for (let place = 0; place < dimensions; place++) sum += values[x + place]! * values[y + place]!;
  return sum;
}
