import { createHash } from "node:crypto";
import { VectorIndex } from "@setwise/native";
import type { CleanQuery } from "./clean-log.ts";

/*
 * Development queries are chosen by a hash of their text, not by chance: of a log that has grown the same ones are chosen again, so that a model that was
 * trained before can be compared fairly. What is nearly the same as a development query is one as well.
 */

/** Of small logs so much is set aside. */
const LARGEST_SHARE = 0.2;
/** So many make choices reliable to half a point … */
const WANTED = 300;
/** … and of large logs so much costs nothing. */
const LEAST_SHARE = 0.04;
/** From that cosine on two queries are nearly the same. */
const NEAR = 0.95;
/** Neighbours that are looked at. */
const NEIGHBOURS = 16;
/** Neighbours of neighbours, and so on. */
const ROUNDS = 3;

/** What development queries have in common: `queries` are near-duplicates of each other, `sets` have the same tools (to see how new combinations fare). */
export type SplitBy = "queries" | "sets";

/** Positions of the development queries, ascending. */
export function developmentQueries(
  queries: readonly CleanQuery[],
  vectors: Float32Array,
  by: SplitBy = "queries",
): Uint32Array {
  const share = Math.min(LARGEST_SHARE, Math.max(LEAST_SHARE, WANTED / queries.length));
  const isChosen = (text: string): boolean => hashShare(text) < share;
  if (by === "sets") {
    return Uint32Array.from(queries.keys()).filter((place) => isChosen(queries[place]!.tools.join()));
  }
  const chosen = new Set([...queries.keys()].filter((place) => isChosen(normalised(queries[place]!.text))));
  addNeighbours(chosen, vectors, queries.length);
  return Uint32Array.from(chosen).sort();
}

function addNeighbours(chosen: Set<number>, vectors: Float32Array, count: number): void {
  if (count === 0) return;
  const dimensions = vectors.length / count;
  const index = new VectorIndex({ dimensions, vectors, precision: "int8" });
  try {
    let fresh = [...chosen];
    for (let round = 0; round < ROUNDS && fresh.length > 0; round++) {
      const asked = new Float32Array(fresh.length * dimensions);
      for (const [row, place] of fresh.entries()) asked.set(rowOf(vectors, place, dimensions), row * dimensions);
      const { ids, scores } = index.search(asked, NEIGHBOURS);
      fresh = [...new Set(ids.filter((id, at) => scores[at]! >= NEAR && !chosen.has(id)))];
      for (const place of fresh) chosen.add(place);
    }
  } finally {
    index.dispose();
  }
}

/** Two queries that are nearly the same but were served by different tools. */
export interface SuspectedPair {
  readonly one: string;
  readonly other: string;
  readonly cosine: number;
}

/** Of larger logs so many evenly spaced queries are looked at: each is compared with all. */
const MOST_LOOKED_AT = 2000;

/** Pairs of queries that are nearly the same but were served by sets without a common tool, nearest first. */
export function suspectedPairs(queries: readonly CleanQuery[], vectors: Float32Array): SuspectedPair[] {
  if (queries.length === 0) return [];
  const dimensions = vectors.length / queries.length;
  const index = new VectorIndex({ dimensions, vectors, precision: "int8" });
  const step = Math.max(1, queries.length / MOST_LOOKED_AT);
  const looked = Array.from({ length: Math.floor(queries.length / step) }, (_, i) => Math.floor(i * step));
  const asked = new Float32Array(looked.length * dimensions);
  for (const [row, place] of looked.entries()) asked.set(rowOf(vectors, place, dimensions), row * dimensions);
  const { ids, scores, count } = index.search(asked, Math.min(4, queries.length));
  index.dispose();
  const pairs = new Map<string, SuspectedPair>();
  for (let at = 0; at < ids.length; at++) {
    const [place, other] = [looked[Math.floor(at / count)]!, ids[at]!];
    if (place === other || scores[at]! < NEAR) continue;
    const [left, right] = [queries[Math.min(place, other)]!, queries[Math.max(place, other)]!];
    if (left.tools.some((tool) => right.tools.includes(tool))) continue;
    pairs.set(`${Math.min(place, other)} ${Math.max(place, other)}`, {
      one: left.text,
      other: right.text,
      cosine: scores[at]!,
    });
  }
  return [...pairs.values()].sort((a, b) => b.cosine - a.cosine);
}

function rowOf(vectors: Float32Array, row: number, dimensions: number): Float32Array {
  return vectors.subarray(row * dimensions, (row + 1) * dimensions);
}

function normalised(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}

/** A number in 0..1 that depends on nothing but the text. */
function hashShare(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}
