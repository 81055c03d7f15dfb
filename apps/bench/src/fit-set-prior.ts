import {
  balancedSize,
  hybridPrior,
  lexicalPrior,
  likeliestSize,
  priorLogits,
  priorSizeOffsets,
  setDistribution,
  type SetPrior,
} from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";
import { setMetrics } from "@setwise/evaluation";
import { openEncoder } from "setwise";
import { type Asked, lookUp, ownQueries, type Weighed, weighedRows } from "./train-rows.ts";
import { readTrainSets } from "./train-sets.ts";

/*
 * Fits the constants of packages/adaptive-k/src/set-prior.ts by maximum likelihood of the right sets among the first 20
 * candidates, log P(E | x) = Σ_{t∈E} l_t + c_|E| − log Z, whose gradient is what the set holds minus what the distribution
 * expects. Train and dev queries, whole catalogs and small ones, every data set with the same weight. The constants go there
 * by hand.
 */

const POOL = 20;
const LARGEST_SET = 5;
const STEPS = 400;
const RATE = 0.1;
/** On β only, so that sizes follow the number of requests no more than the data say. */
const RIDGE = 3e-3;

interface Row {
  readonly scores: Float32Array;
  readonly requests: number;
  /** Positions of the right tools in `scores`. */
  readonly right: readonly number[];
}

export async function fitSetPrior(folder: string, print: (line: string) => void): Promise<void> {
  const sets = await readTrainSets(folder);
  for (const [level, present] of [
    ["none", lexicalPrior],
    ["static", hybridPrior],
  ] as const) {
    const encoder = await openEncoder(level);
    print(`\nby words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    const rowsOf = new Map<string, Weighed<Row>[]>();
    for (const set of sets)
      rowsOf.set(set.name, await weighedRows(ownQueries(set, sets), (asked) => rowsFor(asked, encoder)));
    for (const set of sets)
      print(`as it stands ${set.name.padEnd(12)} ${quality(present, rowsOf.get(set.name) ?? [])}`);
    for (const held of sets) {
      const prior = fit(sets.filter((set) => set !== held).flatMap((set) => rowsOf.get(set.name) ?? []));
      print(`held out ${held.name.padEnd(12)} ${quality(prior, rowsOf.get(held.name) ?? [])}`);
    }
    const prior = fit([...rowsOf.values()].flat());
    for (const set of sets) print(`fitted on ${set.name.padEnd(11)} ${quality(prior, rowsOf.get(set.name) ?? [])}`);
    const digits = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(", ");
    print(`score ${prior.score.toFixed(2)}, gapToBest ${prior.gapToBest.toFixed(2)}`);
    print(`sizeOffsets [${digits(prior.sizeOffsets)}], sizeSlopes [${digits(prior.sizeSlopes)}]`);
  }
}

/** The constants in one vector: score, gap, α_1 … α_5, β_1 … β_5. */
function priorOf(theta: readonly number[]): SetPrior {
  const [score = 0, gapToBest = 0] = theta;
  return { score, gapToBest, sizeOffsets: theta.slice(2, 2 + LARGEST_SET), sizeSlopes: theta.slice(2 + LARGEST_SET) };
}

/** Maximum likelihood by Adam over all rows at once. */
function fit(rows: readonly Weighed<Row>[]): SetPrior {
  const size = 2 + 2 * LARGEST_SET;
  const theta = Array.from({ length: size }, (_, i): number => (i === 0 ? 5 : 0));
  const mean = theta.map(() => 0);
  const square = theta.map(() => 0);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = gradientOf(theta, rows);
    for (let i = 0; i < size; i++) {
      const slope = gradient[i] ?? 0;
      mean[i] = 0.9 * (mean[i] ?? 0) + 0.1 * slope;
      square[i] = 0.999 * (square[i] ?? 0) + 0.001 * slope * slope;
      const change = (mean[i] ?? 0) / (1 - 0.9 ** step) / (Math.sqrt((square[i] ?? 0) / (1 - 0.999 ** step)) + 1e-8);
      theta[i] = (theta[i] ?? 0) + RATE * (1 - step / (STEPS + 1)) * change;
    }
  }
  return priorOf(theta);
}

/** Gradient of the weighted mean log-likelihood, minus the ridge on β. */
function gradientOf(theta: readonly number[], rows: readonly Weighed<Row>[]): Float64Array {
  const prior = priorOf(theta);
  const slopes: SetPrior = {
    ...prior,
    sizeOffsets: prior.sizeOffsets.map(() => 0),
    sizeSlopes: prior.sizeSlopes.map(() => 1),
  };
  const gradient = new Float64Array(theta.length);
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  for (const { scores, requests, right, weight } of rows) {
    const { inclusion, sizes } = setDistribution(priorLogits(prior, scores), priorSizeOffsets(prior, requests));
    // What one unit of β adds: the standardised number of requests.
    const unusual = priorSizeOffsets(slopes, requests)[1] ?? 0;
    const isRight = new Set(right);
    const best = scores[0] ?? 0;
    const share = weight / total;
    for (const [position, score] of scores.entries()) {
      const difference = Number(isRight.has(position)) - (inclusion[position] ?? 0);
      gradient[0] = (gradient[0] ?? 0) + share * difference * score;
      gradient[1] = (gradient[1] ?? 0) + share * difference * (score - best);
    }
    for (let m = 1; m <= LARGEST_SET; m++) {
      const difference = Number(right.length === m) - (sizes[m] ?? 0);
      gradient[1 + m] = (gradient[1 + m] ?? 0) + share * difference;
      gradient[1 + LARGEST_SET + m] = (gradient[1 + LARGEST_SET + m] ?? 0) + share * difference * unusual;
    }
  }
  for (let i = 2 + LARGEST_SET; i < theta.length; i++) gradient[i] = (gradient[i] ?? 0) - 2 * RIDGE * (theta[i] ?? 0);
  return gradient;
}

/** The first candidates of each query with the right ones among them; queries with none, or more than five, say nothing. */
async function rowsFor(asked: Asked, encoder: Encoder | undefined): Promise<Row[]> {
  const rows = await lookUp(asked, encoder, POOL);
  return rows.flatMap(({ found: { scores, requests }, right }): Row[] =>
    right.length > 0 && right.length <= LARGEST_SET ? [{ scores, requests, right }] : [],
  );
}

/** How good the sets are that the prior chooses, against the right tools in sight. */
function quality(prior: SetPrior, rows: readonly Weighed<Row>[]): string {
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  const of = (
    sizeFor: (logits: Float64Array, offsets: Float64Array) => number,
    metric: "f1" | "exactMatch",
  ): string => {
    let sum = 0;
    for (const { scores, requests, right, weight } of rows) {
      const size = sizeFor(priorLogits(prior, scores), priorSizeOffsets(prior, requests));
      const chosen = Array.from({ length: size }, (_, position) => String(position));
      sum += weight * setMetrics(chosen, right.map(String))[metric];
    }
    return ((100 * sum) / total).toFixed(1);
  };
  const balanced = (logits: Float64Array, offsets: Float64Array): number =>
    balancedSize(setDistribution(logits, offsets));
  return `balanced F1 ${of(balanced, "f1")}, exact match of the likeliest ${of(likeliestSize, "exactMatch")}, of two tools F1 ${of(() => 2, "f1")}`;
}
