import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  POOL_SIZE,
  priorFor,
  priorLogits,
  priorSizeOffsets,
  type SetPrior,
  unusualRequests,
} from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";
import { setDistributions } from "@setwise/native";
import { encoderLevels } from "./levels.ts";
import { difference, type LabelledScores, quality } from "./set-quality.ts";
import { type Asked, lookUp, ownQueries, type Weighed, weighedRows } from "./train-rows.ts";
import { readTrainSets } from "./train-sets.ts";

/*
 * Fits the constants of packages/adaptive-k/src/set-prior.ts by maximum likelihood of the right sets among the first 20
 * candidates, log P(E | x) = Σ_{t∈E} l_t + c_|E| − log Z, whose gradient is what the set holds minus what the distribution
 * expects. Train and dev queries, whole catalogs and small ones, every data set with the same weight. Every level of encoder is
 * fitted by itself and compared with the constants that it has, each data set with those fitted without it. With `out`, the root of the
 * repository, the constants are written to set-priors.json there, and those without each data set to held-out-priors.json here, for
 * what is measured.
 */

const LARGEST_SET = 5;
const STEPS = 400;
const RATE = 0.1;
/** On β only, so that sizes follow the number of requests no more than the data say. */
const RIDGE = 3e-3;
/** A logit with which a tool is in no set: fewer candidates are filled up with it. */
const ABSENT = -1e6;

type Row = Weighed<LabelledScores>;

export async function fitSetPrior(
  folder: string,
  print: (line: string) => void,
  { cache, out }: { readonly cache?: string | undefined; readonly out?: string | undefined } = {},
): Promise<void> {
  const sets = await readTrainSets(folder);
  const fitted: Record<string, SetPrior> = {};
  const without: Record<string, Record<string, SetPrior>> = {};
  for (const { name: level, encoder } of await encoderLevels(cache)) {
    const present = priorFor(encoder?.name);
    print(`\n${level}: by words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    const rows: Row[][] = [];
    for (const set of sets) rows.push(await weighedRows(ownQueries(set, sets), (asked) => rowsFor(asked, encoder)));
    const heldOut = sets.map((_, held) => fit(rows.filter((_, set) => set !== held).flat()));
    const prior = fit(rows.flat());
    fitted[level] = rounded(prior);
    without[level] = Object.fromEntries(sets.map(({ name }, held) => [name, rounded(heldOut[held] ?? prior)]));
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
    print(JSON.stringify(fitted[level]));
  }
  if (out === undefined) return;
  const provenance = `Maximum likelihood on ${sets.map(({ name, queries }) => `${name} (${queries.length} queries)`).join(", ")}, train and dev splits, whole catalogs and small ones; written by \`node apps/bench/dist/main.mjs fit-set-prior --data DIR --out .\`.`;
  await writeJson(join(out, "packages/adaptive-k/src/set-priors.json"), { provenance, ...fitted });
  await writeJson(join(out, "apps/bench/src/held-out-priors.json"), without);
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function rounded({ score, gapToBest, sizeOffsets, sizeSlopes }: SetPrior): SetPrior {
  const two = (value: number): number => Math.round(100 * value) / 100;
  return {
    score: two(score),
    gapToBest: two(gapToBest),
    sizeOffsets: sizeOffsets.map(two),
    sizeSlopes: sizeSlopes.map(two),
  };
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
  const width = LARGEST_SET + 1;
  const logits = new Float64Array(rows.length * POOL_SIZE).fill(ABSENT);
  const offsets = new Float64Array(rows.length * width);
  for (const [row, { scores, requests }] of rows.entries()) {
    logits.set(priorLogits(prior, scores), row * POOL_SIZE);
    offsets.set(priorSizeOffsets(prior, requests), row * width);
  }
  const { inclusion, sizes } = setDistributions(logits, offsets, { pool: POOL_SIZE });
  const gradient = new Float64Array(theta.length);
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  for (const [row, { scores, requests, right, weight }] of rows.entries()) {
    const isRight = new Set(right);
    const best = scores[0] ?? 0;
    const share = weight / total;
    for (const [position, score] of scores.entries()) {
      const difference = Number(isRight.has(position)) - inclusion[row * POOL_SIZE + position]!;
      gradient[0]! += share * difference * score;
      gradient[1]! += share * difference * (score - best);
    }
    for (let m = 1; m <= LARGEST_SET; m++) {
      const difference = Number(right.length === m) - sizes[row * width + m]!;
      gradient[1 + m]! += share * difference;
      // What one unit of β adds: the standardised number of requests.
      gradient[1 + LARGEST_SET + m]! += share * difference * unusualRequests(requests);
    }
  }
  for (let i = 2 + LARGEST_SET; i < theta.length; i++) gradient[i]! -= 2 * RIDGE * theta[i]!;
  return gradient;
}

/** The first candidates of each query with the right ones among them; queries with none, or more than five, say nothing. */
async function rowsFor(asked: Asked, encoder: Encoder | undefined): Promise<LabelledScores[]> {
  const rows = await lookUp(asked, encoder, POOL_SIZE);
  return rows.flatMap(({ found: { scores, requests }, right }): LabelledScores[] =>
    right.length > 0 && right.length <= LARGEST_SET ? [{ scores, requests, right }] : [],
  );
}
