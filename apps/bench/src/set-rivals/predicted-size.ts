import { answerInOrder, placesByValue, type RivalPool, type SetRival } from "./rival.ts";

/*
 * The size of the set as a class of its own: P(|E| = m) = softmax_m(w_m · φ), φ of the requests, the six largest log p, and the entropy of p over the pool; w by maximum
 * likelihood with a small ridge on development queries (Adam over all of them). The set is the first so many by log p.
 */

const LARGEST = 5;
const LOGITS = 6;
const STEPS = 400;
const RATE = 0.05;
const RIDGE = 1e-3;
/** Log probabilities below it say no more. */
const LEAST = -12;

/** Cardinality prediction: the likeliest size, and so many by match. */
export const predictedSize: SetRival = {
  name: "match, predicted size",
  fit(development) {
    const rows = development.map(({ pool, gold }) => ({
      numbers: sizeNumbers(pool),
      size: Math.min(LARGEST, gold.length),
    }));
    const weights = fitSizes(rows);
    return {
      constants: "",
      choose: (pool) =>
        answerInOrder(pool, placesByValue(pool.evidence.logProbabilities), likeliestSize(weights, sizeNumbers(pool))),
    };
  },
};

/** A query's numbers beside its size, 1 … 5. */
export interface SizeRow {
  readonly numbers: readonly number[];
  readonly size: number;
}

/** w, five rows. */
export function fitSizes(rows: readonly SizeRow[]): Float64Array {
  const width = rows[0]?.numbers.length ?? 0;
  const weights = new Float64Array(LARGEST * width);
  const [first, second] = [new Float64Array(weights.length), new Float64Array(weights.length)];
  for (let step = 1; step <= STEPS; step++) {
    const slopes = slopesOf(weights, rows);
    for (const [i, slope] of slopes.entries()) {
      first[i] = 0.9 * first[i]! + 0.1 * slope;
      second[i] = 0.999 * second[i]! + 0.001 * slope * slope;
      const change = first[i]! / (1 - 0.9 ** step) / (Math.sqrt(second[i]! / (1 - 0.999 ** step)) + 1e-8);
      weights[i]! += RATE * (1 - step / (STEPS + 1)) * change;
    }
  }
  return weights;
}

/** The size of the largest w_m · φ, the smaller of equals. */
export function likeliestSize(weights: Float64Array, numbers: readonly number[]): number {
  const scores = scoresOf(weights, numbers);
  return 1 + scores.indexOf(Math.max(...scores));
}

/** Of the mean log likelihood less the ridge. */
function slopesOf(weights: Float64Array, rows: readonly SizeRow[]): Float64Array {
  const slopes = weights.map((weight) => -2 * RIDGE * weight);
  for (const { numbers, size } of rows) {
    const scores = scoresOf(weights, numbers);
    const largest = Math.max(...scores);
    const total = scores.reduce((sum, score) => sum + Math.exp(score - largest), 0);
    for (const [at, score] of scores.entries()) {
      const surprise = (Number(size === at + 1) - Math.exp(score - largest) / total) / rows.length;
      for (const [i, number] of numbers.entries()) slopes[at * numbers.length + i]! += surprise * number;
    }
  }
  return slopes;
}

function scoresOf(weights: Float64Array, numbers: readonly number[]): number[] {
  return Array.from({ length: LARGEST }, (_, at) =>
    numbers.reduce((sum, number, i) => sum + number * weights[at * numbers.length + i]!, 0),
  );
}

function sizeNumbers({ evidence: { logProbabilities, moreRequests } }: RivalPool): number[] {
  const logs = [...logProbabilities].sort((a, b) => b - a).map((value) => Math.max(LEAST, value));
  const entropy = logs.reduce((sum, value) => sum - value * Math.exp(value), 0);
  const best = Array.from({ length: LOGITS }, (_, rank) => logs[rank] ?? LEAST);
  return [1, moreRequests / 2, entropy, ...best.map((value) => value / 3)];
}
