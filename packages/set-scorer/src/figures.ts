import { seededRandom } from "@setwise/core";
import { rankTools } from "./rank-tools.ts";
import type { SetScores } from "./score-sets.ts";
import type { RankingFigures } from "./set-model.ts";

/** Recall, NDCG and completeness at 3 and 5 and the exact set, of one query; NaN for the exact set where none was asked for. */
export type FigureRow = readonly [
  recall3: number,
  ndcg3: number,
  completeness3: number,
  recall5: number,
  completeness5: number,
  exact: number,
];

/** The figures of a ranking. */
export function figuresOf(ranking: Uint32Array, gold: Uint32Array, best?: Uint32Array): FigureRow {
  const right = new Set(gold);
  let [gain, ideal] = [0, 0];
  for (let place = 0; place < 3; place++) {
    const discount = 1 / Math.log2(place + 2);
    if (right.has(ranking[place] ?? -1)) gain += discount;
    if (place < gold.length) ideal += discount;
  }
  const hits = (k: number): number => ranking.subarray(0, k).filter((tool) => right.has(tool)).length;
  const [three, five] = [hits(3), hits(5)];
  const isExact =
    best === undefined ? Number.NaN : Number(best.length === gold.length && best.every((t) => right.has(t)));
  return [
    three / gold.length,
    gain / ideal,
    Number(three === gold.length),
    five / gold.length,
    Number(five === gold.length),
    isExact,
  ];
}

/** The figures of what a scorer answered to a request that some tool serves; its set is the likeliest one that has a tool. */
export function figuresOfScores(scored: SetScores, gold: Uint32Array): FigureRow {
  const best = scored.best.find(({ ids }) => ids.length > 0);
  return figuresOf(rankTools(scored).ids, gold, best?.ids ?? new Uint32Array(0));
}

/** What choices are made by: the mean of recall and completeness at 3 and 5. */
export function worthOf([recall3, , completeness3, recall5, completeness5]: FigureRow): number {
  return (recall3 + completeness3 + recall5 + completeness5) / 4;
}

/** The same with the exact set as a fifth. */
export function setWorthOf(row: FigureRow): number {
  return (4 * worthOf(row) + row[5]) / 5;
}

/** The means of rows, every query counting alike. */
export function meanFigures(rows: readonly FigureRow[]): RankingFigures {
  const mean = (column: number): number => rows.reduce((sum, row) => sum + row[column]!, 0) / Math.max(1, rows.length);
  const exact = mean(5);
  return {
    recall3: mean(0),
    ndcg3: mean(1),
    completeness3: mean(2),
    recall5: mean(3),
    completeness5: mean(4),
    ...(Number.isNaN(exact) ? {} : { exact }),
  };
}

/** A mean difference with the interval that holds 95 % of its resamples. */
export interface PairedDifference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2000;

/** The mean of paired differences with its 95 % interval by the bootstrap (Efron and Tibshirani 1993, percentile interval). */
export function pairedDifference(one: readonly number[], other: readonly number[], seed: number): PairedDifference {
  const differences = one.map((value, place) => value - other[place]!);
  const count = Math.max(1, differences.length);
  const random = seededRandom(seed);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < differences.length; i++) sum += differences[Math.floor(random() * differences.length)]!;
    return sum / count;
  }).sort((a, b) => a - b);
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / count,
    low: means[Math.floor(0.025 * RESAMPLES)]!,
    high: means[Math.ceil(0.975 * RESAMPLES) - 1]!,
  };
}
