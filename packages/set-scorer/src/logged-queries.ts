import { type Kernels, VectorIndex } from "@setwise/native";
import { rowsAt } from "./rows-at.ts";

/*
 * Requests that were logged, remembered by their vectors: the cosine of the nearest one says how far a new request is from all that was learned; see `new-tools.ts`.
 */

/** Of larger logs so many evenly spaced requests are kept: 10 MB at 4,000 with 640 dimensions. */
const MOST_KEPT = 5_000;

/** A memory that can be asked. */
export interface LoggedQueryFinder {
  /** The cosine of the nearest request; 0 where there is none. */
  nearest(vector: Float32Array): number;
  dispose(): void;
}

/** The vectors of the requests at `places`, evenly spaced ones where there are too many: requests × d, rows of length 1. */
export function keepLoggedQueries(
  queryVectors: Float32Array,
  dimensions: number,
  places: readonly number[],
): Float32Array {
  const step = Math.max(1, places.length / MOST_KEPT);
  const kept = Array.from({ length: Math.floor(places.length / step) }, (_, i) => places[Math.floor(i * step)]!);
  return rowsAt(queryVectors, dimensions, kept);
}

/** Finds by cosine, exactly. */
export function loggedQueryFinder(vectors: Float32Array, dimensions: number, kernels?: Kernels): LoggedQueryFinder {
  if (vectors.length === 0) return { nearest: () => 0, dispose: () => undefined };
  const run = kernels === undefined ? {} : { kernels };
  const index = new VectorIndex({ ...run, dimensions, vectors, precision: "int8" });
  return { nearest: (vector) => index.search(vector, 1).scores[0]!, dispose: () => index.dispose() };
}
