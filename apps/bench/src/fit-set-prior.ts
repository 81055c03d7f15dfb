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
import type { Encoder, LabelledQuery } from "@setwise/core";
import { setMetrics } from "@setwise/evaluation";
import { embedTools, encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import { staticEncoder } from "./static-encoder.ts";
import { readTrainSets, smallCatalogs, type TrainSet } from "./train-sets.ts";

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
  readonly weight: number;
}

export async function fitSetPrior(folder: string, print: (line: string) => void): Promise<void> {
  const sets = await readTrainSets(folder);
  for (const [encoder, present] of [
    [undefined, lexicalPrior],
    [staticEncoder, hybridPrior],
  ] as const) {
    print(`\nby words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    const rowsOf = new Map<string, Row[]>();
    for (const set of sets) rowsOf.set(set.name, await rowsFor(set, sets, encoder));
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

async function rowsFor(set: TrainSet, sets: readonly TrainSet[], encoder: Encoder | undefined): Promise<Row[]> {
  const small = smallCatalogs(
    set,
    sets.filter((other) => other !== set),
  );
  const own: Omit<Row, "weight">[] = [];
  for (const catalog of small) own.push(...(await lookUp(catalog.index, catalog.own, encoder)));
  return [...weigh(await lookUp(set.index, set.queries, encoder)), ...weigh(own)];
}

function weigh(rows: readonly Omit<Row, "weight">[]): Row[] {
  return rows.map((row) => ({ ...row, weight: 1 / rows.length }));
}

/** The first candidates of each query with the right ones among them; queries with none, or more than five, say nothing. */
async function lookUp(
  words: ToolIndex,
  queries: readonly LabelledQuery[],
  encoder: Encoder | undefined,
): Promise<Omit<Row, "weight">[]> {
  const index = encoder === undefined ? words : await embedTools(words, encoder);
  const rows: Omit<Row, "weight">[] = [];
  for (const { query, tools } of queries) {
    const meaning = encoder === undefined ? {} : { vectors: await encodeQuery(index, encoder, query) };
    const { ids, scores, requests } = retrieve(index, query, { k: POOL, ...meaning });
    const wanted = new Set(tools);
    const right = [...ids.keys()].filter((position) => wanted.has(index.catalog.tools[ids[position] ?? 0]?.id ?? ""));
    if (right.length > 0 && right.length <= LARGEST_SET) rows.push({ scores, requests, right });
  }
  return rows;
}

/** How good the sets are that the prior chooses, against the right tools in sight. */
function quality(prior: SetPrior, rows: readonly Row[]): string {
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
