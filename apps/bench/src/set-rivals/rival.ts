import { figuresOf, type SetEvidence } from "@setwise/set-scorer";
import { mean } from "../ranking-row.ts";

/** What is known of one query: the tools that are looked at and what a trained model says of them. */
export interface RivalPool {
  /** Tools, ascending; log p of each, and what the model knows of pairs and sets. */
  readonly evidence: SetEvidence;
  /** cos(z_a, z_b), K × K. */
  readonly similarity: Float64Array;
}

/** A pool with the tools that served the query, which may not all be in it. */
export interface LabelledPool {
  readonly pool: RivalPool;
  readonly gold: Uint32Array;
}

/** What one way of choosing makes of a pool. */
export interface RivalAnswer {
  /** Tools, best first. */
  readonly ranking: Uint32Array;
  readonly set: Uint32Array;
}

/** A way of choosing whose constants are set. */
export interface SetChooser {
  /** What was chosen on development queries, for people; empty where there is nothing to choose. */
  readonly constants: string;
  choose(pool: RivalPool): RivalAnswer;
}

/**
 * A way to get a ranking and a set from a pool, with constants that it chooses on development queries. For example the first k by match:
 * `topK.fit(development).choose(pool)` gives the pool by log p, and of it the first k, k being what served the development queries best.
 */
export interface SetRival {
  readonly name: string;
  fit(development: readonly LabelledPool[]): SetChooser;
}

/** What rivals are compared by. */
export const rivalColumns = ["R@3", "N@3", "C@3", "R@5", "C@5", "exact", "F1"] as const;

/** One query's figures in the order of {@link rivalColumns}, in 0..1. */
export function rivalFigures({ ranking, set }: RivalAnswer, gold: Uint32Array): number[] {
  const shared = set.filter((tool) => gold.includes(tool)).length;
  return [...figuresOf(ranking, gold, set), (2 * shared) / (set.length + gold.length)];
}

/** By column the means over queries, in 0..1. */
export function meanColumns(rows: readonly (readonly number[])[]): number[] {
  return rivalColumns.map((_, column) => mean(rows.map((row) => row[column] ?? 0)));
}

/** The constants of the largest mean of all columns on development queries: one criterion for every rival, the first of equals. */
export function bestOn<Constants>(
  development: readonly LabelledPool[],
  grid: readonly Constants[],
  choose: (constants: Constants, pool: RivalPool) => RivalAnswer,
): Constants {
  const worth = (constants: Constants): number =>
    mean(meanColumns(development.map(({ pool, gold }) => rivalFigures(choose(constants, pool), gold))));
  const [first, ...others] = grid;
  let best = first as Constants;
  let most = worth(best);
  for (const constants of others) {
    const value = worth(constants);
    if (value > most) [best, most] = [constants, value];
  }
  return best;
}

/** The order of the largest values first, equal ones by lower place. */
export function placesByValue(values: Float64Array): number[] {
  return [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
}

/** The tools of a pool in an order of places, and the first `size` of them. */
export function answerInOrder({ evidence }: RivalPool, places: readonly number[], size: number): RivalAnswer {
  const ranking = Uint32Array.from(places, (place) => evidence.ids[place] ?? 0);
  return { ranking, set: ranking.slice(0, size) };
}
