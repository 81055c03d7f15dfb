import {
  hybridPrior,
  lexicalPrior,
  priorLogits,
  priorSizeOffsets,
  setDistribution,
  type SetPrior,
} from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";
import { encoderLevels } from "./levels.ts";
import { difference, type LabelledScores, quality } from "./set-quality.ts";
import { type Asked, lookUp, ownQueries, type Weighed, weighedRows } from "./train-rows.ts";
import { readTrainSets } from "./train-sets.ts";

/*
 * Fits the constants of packages/adaptive-k/src/set-prior.ts by maximum likelihood of the right sets among the first 20
 * candidates, log P(E | x) = Σ_{t∈E} l_t + c_|E| − log Z, whose gradient is what the set holds minus what the distribution
 * expects. Train and dev queries, whole catalogs and small ones, every data set with the same weight. Every level of encoder is
 * fitted by itself and compared with the constants that it has, each data set with those fitted without it. The constants go
 * there by hand.
 */

const POOL = 20;
const LARGEST_SET = 5;
const STEPS = 400;
const RATE = 0.1;
/** On β only, so that sizes follow the number of requests no more than the data say. */
const RIDGE = 3e-3;

type Row = Weighed<LabelledScores>;

export async function fitSetPrior(
  folder: string,
  print: (line: string) => void,
  { cache }: { readonly cache?: string | undefined } = {},
): Promise<void> {
  const sets = await readTrainSets(folder);
  for (const { name: level, encoder } of await encoderLevels(cache)) {
    const present = encoder === undefined ? lexicalPrior : hybridPrior;
    print(`\n${level}: by words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    const rows: Row[][] = [];
    for (const set of sets) rows.push(await weighedRows(ownQueries(set, sets), (asked) => rowsFor(asked, encoder)));
    const heldOut = sets.map((_, held) => fit(rows.filter((_, set) => set !== held).flat()));
    const prior = fit(rows.flat());
    const show = (label: string, priorOf: (set: number) => SetPrior): void => {
      for (const [set, { name }] of sets.entries())
        print(`${label} ${name.padEnd(12)} ${quality(priorOf(set), rows[set] ?? [])}`);
    };
    show("as it stands", () => present);
    show("held out", (set) => heldOut[set] ?? present);
    show("fitted on all", () => prior);
    for (const metric of ["f1", "exactMatch"] as const) {
      print(
        `${metric}, held out less as it stands: ${difference(
          rows,
          metric,
          (set) => heldOut[set] ?? present,
          () => present,
        )}`,
      );
      print(
        `${metric}, fitted on all less as it stands: ${difference(
          rows,
          metric,
          () => prior,
          () => present,
        )}`,
      );
    }
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
function fit(rows: readonly Row[]): SetPrior {
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
function gradientOf(theta: readonly number[], rows: readonly Row[]): Float64Array {
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
async function rowsFor(asked: Asked, encoder: Encoder | undefined): Promise<LabelledScores[]> {
  const rows = await lookUp(asked, encoder, POOL);
  return rows.flatMap(({ found: { scores, requests }, right }): LabelledScores[] =>
    right.length > 0 && right.length <= LARGEST_SET ? [{ scores, requests, right }] : [],
  );
}
