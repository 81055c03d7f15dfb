import {
  balancedSize,
  completeSize,
  coverage,
  priorLogits,
  priorSizeOffsets,
  setDistribution,
} from "@setwise/adaptive-k";
import { mean } from "./ranking-row.ts";
import type { HeldOut, SetRow } from "./set-quality-rows.ts";

/** The rows of a split with the constants that it is measured with. */
export interface MeasuredSplit {
  readonly rows: readonly SetRow[];
  readonly heldOut: HeldOut;
}

/** A family of rules: the larger `amount`, the more tools. */
export interface SizeRule {
  readonly name: string;
  readonly amounts: readonly number[];
  readonly size: (row: SetRow, heldOut: HeldOut, amount: number) => number;
}

/** Mean size and share complete, in per cent, means over the splits. */
export interface FrontierPoint {
  readonly size: number;
  readonly complete: number;
}

export const fixedRule: SizeRule = {
  name: "fixed k",
  amounts: [1, 2, 3, 4, 5, 6, 7, 8],
  size: (_, __, amount) => amount,
};

interface Known {
  readonly covered: Float64Array;
  readonly balanced: number;
}

/** A row is always measured with the same constants. */
const knownRows = new WeakMap<SetRow, Known>();

function knownOf(row: SetRow, { prior }: HeldOut): Known {
  let known = knownRows.get(row);
  if (known === undefined) {
    const problem = [priorLogits(prior, row.scores, row.wordEvidence), priorSizeOffsets(prior, row.requests)] as const;
    known = { covered: coverage(...problem), balanced: balancedSize(setDistribution(...problem)) };
    knownRows.set(row, known);
  }
  return known;
}

const steps = (from: number, to: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)));

/** The rules that were tried for the goal `complete`. */
export const sizeRules: readonly SizeRule[] = [
  fixedRule,
  {
    name: "price of a tool",
    amounts: steps(0.3, 0.01, 24),
    size: (row, heldOut, price) => completeSize(knownOf(row, heldOut).covered, price),
  },
  {
    name: "balanced set and spare tools",
    amounts: [0, 1, 2, 3, 4, 5],
    size: (row, heldOut, spare) => knownOf(row, heldOut).balanced + spare,
  },
  {
    name: "complete with a probability",
    amounts: steps(0.2, 0.99, 24),
    size(row, heldOut, least) {
      const { covered } = knownOf(row, heldOut);
      const enough = covered.findIndex((value, k) => k > 0 && value >= least);
      return enough < 0 ? covered.length - 1 : enough;
    },
  },
  {
    name: "a number for each request",
    amounts: [0.6, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5],
    size: (row, _, each) => Math.max(1, Math.round(each * Math.min(row.requests, 6))),
  },
  {
    name: "while words are covered",
    amounts: steps(0.5, 0.01, 16),
    size({ wordsCovered }, _, least) {
      let size = 1;
      for (let k = 2; k < wordsCovered.length; k++) {
        if (wordsCovered[k]! - wordsCovered[k - 1]! >= least) size = k;
      }
      return size;
    },
  },
  {
    name: "spare tools up to the best by words",
    amounts: [0, 1, 2, 3, 4, 5],
    size: (row, heldOut, spare) => Math.max(knownOf(row, heldOut).balanced + spare, Math.min(row.bestByWords + 1, 10)),
  },
  {
    name: "scores near the best",
    amounts: steps(0.05, 1.2, 16),
    size: ({ scores }, _, near) => scores.filter((score) => score >= (scores[0] ?? 0) - near).length,
  },
];

const MOST = 12;

/** Where a rule stands, amount by amount, by ascending size. */
export function frontierOf(splits: readonly MeasuredSplit[], { amounts, size }: SizeRule): FrontierPoint[] {
  const points = amounts.map((amount): FrontierPoint => {
    const means = splits.map(({ rows, heldOut }) => {
      const sizes = rows.map((row) => Math.min(Math.max(1, size(row, heldOut, amount)), MOST, row.scores.length));
      const complete = rows.map((row, i) => Number(isComplete(row, sizes[i] ?? 0)));
      return [mean(sizes), 100 * mean(complete)] as const;
    });
    return { size: mean(means.map(([tools]) => tools)), complete: mean(means.map(([, share]) => share)) };
  });
  return points.toSorted((a, b) => a.size - b.size);
}

export function isComplete({ right, rightTools }: SetRow, size: number): boolean {
  return right.length === rightTools && right.every((place) => place < size);
}

/** The share complete at a mean size, on the line between the points beside it; `undefined` outside. */
export function completeAt(points: readonly FrontierPoint[], size: number): number | undefined {
  const after = points.findIndex((point) => point.size >= size);
  const [left, right] = [points[after - 1], points[after]];
  if (left === undefined || right === undefined) return undefined;
  const way = (size - left.size) / (right.size - left.size || 1);
  return left.complete + way * (right.complete - left.complete);
}
