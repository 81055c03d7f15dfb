import { VectorIndex, type Kernels } from "@setwise/native";

/*
 * Requests that were logged vote for the tools that served them: v_t = Σ_i s_i [t ∈ E_i] over the K nearest ones, s the softmax of cos / τ. What P and Z have made
 * even, they still remember: on ToolLens, where a set comes again in other words, votes raised completeness at 3 from 82.8 to 89.2 on development queries.
 */

/** K. */
const NEIGHBOURS = 64;
/** τ; 0.1 was a little worse on ToolLens and the same on UltraTool. */
const TEMPERATURE = 0.05;
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
  /** v, by tool; each in 0..1. */
  readonly votes: ReadonlyMap<number, number>;
  /** The cosine of the nearest one; 0 where there is none. */
  readonly nearest: number;
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
  dimensions: number,
  kernels?: Kernels,
): LoggedQueryFinder {
  if (vectors.length === 0) return { votesFor: () => ({ votes: new Map(), nearest: 0 }), dispose: () => undefined };
  const run = kernels === undefined ? {} : { kernels };
  const index = new VectorIndex({ ...run, dimensions, vectors, precision: "int8" });
  return {
    votesFor(vector) {
      const { ids, scores } = index.search(vector, Math.min(NEIGHBOURS, offsets.length - 1));
      const nearest = scores[0]!;
      const shares = Array.from(scores, (score) => Math.exp((score - nearest) / TEMPERATURE));
      const total = shares.reduce((sum, share) => sum + share, 0);
      const votes = new Map<number, number>();
      for (const [place, row] of ids.entries()) {
        for (const tool of members.subarray(offsets[row], offsets[row + 1])) {
          votes.set(tool, (votes.get(tool) ?? 0) + shares[place]! / total);
        }
      }
      return { votes, nearest };
    },
    dispose: () => index.dispose(),
  };
}

function listed(lists: readonly (readonly number[])[]): Pick<LoggedQueries, "offsets" | "members"> {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [row, list] of lists.entries()) offsets[row + 1] = offsets[row]! + list.length;
  return { offsets, members: Uint32Array.from(lists.flat()) };
}
