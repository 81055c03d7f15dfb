import { createHash } from "node:crypto";
import type { CleanQuery } from "./clean-log.ts";
import { QueryClusters } from "./query-clusters.ts";

/*
 * Development queries are chosen by a hash of their text, not by chance: of a log that has grown the same ones are chosen again, so that a model that was
 * trained before can be compared fairly. Queries that are nearly the same, and what is nearly the same as those, are on one side: that of the first in the log.
 */

/** Of small logs so much is set aside. */
const LARGEST_SHARE = 0.2;
/** So many make choices reliable to half a point … */
const WANTED = 300;
/** … of large logs so much costs nothing … */
const LEAST_SHARE = 0.04;
/** … and more than about so many would cost time and memory, and make no choice better. */
const MOST = 1000;
/** Queries that are nearly the same are not set aside where they are more than so many, or {@link LARGEST_SHARE}: they would be most of what is chosen on. */
const LARGEST_CLUSTER = 250;

/**
 * What is on one side: with `queries` what is nearly the same, with `sets` all queries of the same tools (to see how new combinations fare; requests that no
 * tool serves go by their text).
 */
export type SplitBy = "queries" | "sets";

export interface DevelopmentOptions {
  /** Default: `queries`. */
  readonly by?: SplitBy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Positions of the development queries, ascending. Large logs of queries that are near each other take seconds, with the event loop going on.
 *
 * @throws SetwiseError `aborted` when the signal fired.
 */
export async function developmentQueries(
  queries: readonly CleanQuery[],
  vectors: Float32Array,
  { by = "queries", signal }: DevelopmentOptions = {},
): Promise<Uint32Array> {
  const total = queries.length;
  const share = Math.min(LARGEST_SHARE, Math.max(LEAST_SHARE, WANTED / total), MOST / total);
  const most = Math.min(LARGEST_CLUSTER, Math.max(1, Math.floor(LARGEST_SHARE * total)));
  const places = new Map<string, number[]>();
  for (const [place, query] of queries.entries()) {
    const key = keyOf(query, by);
    const group = places.get(key);
    if (group === undefined) places.set(key, [place]);
    else group.push(place);
  }
  const groups = [...places.values()];
  const isChosen = [...places.keys()].map((key) => hashShare(key) < share);
  const clusters = new QueryClusters(groups);
  const chosen = [...groups.keys()].filter((group) => isChosen[group]);
  if (by === "queries") await clusters.grow(chosen, vectors, { most, signal });
  const development = groups.filter((_, group) => isChosen[clusters.firstOf(group)] && clusters.sizeOf(group) <= most);
  return Uint32Array.from(development.flat()).sort();
}

/** What is the same for queries that are on one side for certain. */
function keyOf({ text, tools }: CleanQuery, by: SplitBy): string {
  return by === "sets" && tools.length > 0 ? tools.join() : text.toLowerCase().replace(/\s+/g, " ");
}

/** A number in 0..1 that depends on nothing but the text. */
function hashShare(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}
