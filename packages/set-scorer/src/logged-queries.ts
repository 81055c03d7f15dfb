import { type Kernels, VectorIndex } from "@setwise/native";
import type { KnownSets } from "./known-sets.ts";

/*
 * Requests that were logged, remembered by their vectors. The cosine of the nearest one says how far a new request is from all that was learned (`new-tools.ts`); and
 * they vote for the sets that served them: u_E = Σ_i s_i [E_i = E] over the K nearest ones, s the softmax of cos / τ (`known-sets.ts`).
 */

/** K. */
const NEIGHBOURS = 64;
/** τ: of 0.015 to 0.1 the smaller ones did best on ToolLens, all alike up to 0.03. */
const TEMPERATURE = 0.02;
/** Of larger logs so many evenly spaced requests are kept: they are most of a model's size. */
const MOST_KEPT = 20_000;

/** Requests that a model remembers. */
export interface LoggedQueries {
  /** Requests × d_r, rows of length 1. */
  readonly vectors: Float32Array;
  /** Requests + 1. */
  readonly offsets: Uint32Array;
  /** The tools of each, ascending, one request behind the other. */
  readonly members: Uint32Array;
}

/** What requests like a new one say of it. */
export interface LoggedVotes {
  /** The cosine of the nearest one; 0 where there is none. */
  readonly nearest: number;
  /** u in 0..1, by number of the known set. */
  readonly sets: ReadonlyMap<number, number>;
}

/** A memory that can be asked. */
export interface LoggedQueryFinder {
  votesFor(vector: Float32Array): LoggedVotes;
  dispose(): void;
}

/** A model that remembers no request. */
export const noLoggedQueries: LoggedQueries = {
  vectors: new Float32Array(0),
  offsets: new Uint32Array(1),
  members: new Uint32Array(0),
};

/** Keeps the requests at `places`, those without a tool left out. */
export function keepLoggedQueries(
  queries: readonly { readonly tools: Uint32Array }[],
  queryVectors: Float32Array,
  places: readonly number[],
): LoggedQueries {
  const dimensions = queryVectors.length / Math.max(1, queries.length);
  const useful = places.filter((place) => queries[place]!.tools.length > 0);
  const step = Math.max(1, useful.length / MOST_KEPT);
  const kept = Array.from({ length: Math.floor(useful.length / step) }, (_, i) => useful[Math.floor(i * step)]!);
  const vectors = new Float32Array(kept.length * dimensions);
  for (const [row, place] of kept.entries()) {
    vectors.set(queryVectors.subarray(place * dimensions, (place + 1) * dimensions), row * dimensions);
  }
  return { vectors, ...listed(kept.map((place) => [...queries[place]!.tools])) };
}

/** The same requests with the tools of another catalog; −1 of `ordinalOf` is a tool that has left. A request whose tools have all left leaves too. */
export function movedLoggedQueries(
  { vectors, offsets, members }: LoggedQueries,
  ordinalOf: (tool: number) => number,
): LoggedQueries {
  const count = offsets.length - 1;
  const dimensions = vectors.length / Math.max(1, count);
  const lists = Array.from({ length: count }, (_, row) =>
    Array.from(members.subarray(offsets[row], offsets[row + 1]), ordinalOf)
      .filter((tool) => tool >= 0)
      .sort((a, b) => a - b),
  );
  const kept = [...lists.keys()].filter((row) => lists[row]!.length > 0);
  const moved = new Float32Array(kept.length * dimensions);
  for (const [at, row] of kept.entries()) {
    moved.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
  }
  return { vectors: moved, ...listed(kept.map((row) => lists[row]!)) };
}

/** Finds by cosine, exactly. */
export function loggedQueryFinder(
  { vectors, offsets, members }: LoggedQueries,
  knownSets: KnownSets,
  kernels?: Kernels,
): LoggedQueryFinder {
  const count = offsets.length - 1;
  if (count === 0) return { votesFor: () => ({ nearest: 0, sets: new Map() }), dispose: () => undefined };
  const run = kernels === undefined ? {} : { kernels };
  const index = new VectorIndex({ ...run, dimensions: vectors.length / count, vectors, precision: "int8" });
  const numberOf = new Map(
    Array.from(knownSets.values, (_, set) => [
      knownSets.members.subarray(knownSets.offsets[set], knownSets.offsets[set + 1]).join(),
      set,
    ]),
  );
  const setOf = Array.from({ length: count }, (_, row) =>
    numberOf.get(members.subarray(offsets[row], offsets[row + 1]).join()),
  );
  return {
    votesFor(vector) {
      const { ids, scores } = index.search(vector, Math.min(NEIGHBOURS, count));
      const nearest = scores[0]!;
      const shares = Array.from(scores, (score) => Math.exp((score - nearest) / TEMPERATURE));
      const total = shares.reduce((sum, share) => sum + share, 0);
      const sets = new Map<number, number>();
      for (const [place, row] of ids.entries()) {
        const set = setOf[row];
        if (set !== undefined) sets.set(set, (sets.get(set) ?? 0) + shares[place]! / total);
      }
      return { nearest, sets };
    },
    dispose: () => index.dispose(),
  };
}

function listed(lists: readonly (readonly number[])[]): Pick<LoggedQueries, "offsets" | "members"> {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [row, list] of lists.entries()) offsets[row + 1] = offsets[row]! + list.length;
  return { offsets, members: Uint32Array.from(lists.flat()) };
}
