import { answerInOrder, bestOn, type RivalPool, type SetChooser, type LabelledPool } from "./rival.ts";
import { fixedSizes } from "./top-k.ts";

/**
 * Places of a pool in the order in which they gain most: at each step the place of the largest `gainOf(place, taken)`, the lower one of equals.
 */
export function greedyOrder(count: number, gainOf: (place: number, taken: readonly number[]) => number): number[] {
  const taken: number[] = [];
  const open = new Set(Array.from({ length: count }, (_, place) => place));
  while (open.size > 0) {
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (const place of open) {
      const gain = gainOf(place, taken);
      if (best < 0 || gain > most) [best, most] = [place, gain];
    }
    taken.push(best);
    open.delete(best);
  }
  return taken;
}

/** Values brought to 0..1, the least at 0; all 1 where they are equal. */
export function shareOfRange(values: Float64Array): Float64Array {
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const range = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 1));
}

/** The weight and the number of tools that serve development queries best, where the order follows from the weight and the set is the first k of it. */
export function fitOrder(
  development: readonly LabelledPool[],
  symbol: string,
  weights: readonly number[],
  orderOf: (pool: RivalPool, weight: number) => readonly number[],
): SetChooser {
  const grid = weights.flatMap((weight) => fixedSizes.map((k) => ({ weight, k })));
  const orders = weights.map((weight) => new Map(development.map(({ pool }) => [pool, orderOf(pool, weight)])));
  const { weight, k } = bestOn(development, grid, (constants, pool) =>
    answerInOrder(pool, orders[weights.indexOf(constants.weight)]?.get(pool) ?? [], constants.k),
  );
  return {
    constants: `${symbol} ${weight}, k ${k}`,
    choose: (pool) => answerInOrder(pool, orderOf(pool, weight), k),
  };
}
