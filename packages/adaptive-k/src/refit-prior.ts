import { setDistributions } from "@setwise/native";
import { POOL_SIZE } from "./choose-k.ts";
import { priorLogits, priorSizeOffsets, type SetPrior } from "./set-prior.ts";

/*
 * The most probable constants given some labelled requests: six numbers, the size offsets and one factor of all logits, by maximum a posteriori.
 *   l = a·l⁰,  c_m = c⁰_m + δ_m − (a − 1)·m·l̄,  maximise Σ log P(E | x) − 0.1·Σ δ_m² − 2·(log a)²
 * l̄ is the mean logit of the right tools, so that a change of a alone leaves the sizes where they are.
 */

/** A request with one to five right tools among its candidates. */
export interface SizedRequest {
  readonly scores: Float32Array;
  readonly right: readonly number[];
  readonly requests: number;
}

/** Chosen on train and dev queries, 50 requests of each data set; so weak that 50 requests decide. */
const OFFSET_RIDGE = 0.1;
const FACTOR_RIDGE = 2;
const STEPS = 250;
const RATE = 0.05;
/** A logit with which a tool is in no set: candidates are filled up to one number with it. */
const ABSENT = -1e6;

/** The constants that suit `prior` and the requests together. */
export function refitPrior(prior: SetPrior, requests: readonly SizedRequest[]): SetPrior {
  const most = prior.sizeOffsets.length;
  const problem = problemOf(prior, requests, most);
  const theta = new Float64Array(1 + most);
  const [first, second] = [new Float64Array(theta.length), new Float64Array(theta.length)];
  for (let step = 1; step <= STEPS; step++) {
    for (const [i, slope] of gradientAt(problem, theta).entries()) {
      first[i] = 0.9 * first[i]! + 0.1 * slope;
      second[i] = 0.999 * second[i]! + 0.001 * slope * slope;
      const change = first[i]! / (1 - 0.9 ** step) / (Math.sqrt(second[i]! / (1 - 0.999 ** step)) + 1e-8);
      theta[i]! += RATE * (1 - step / (STEPS + 1)) * change;
    }
  }
  const factor = Math.exp(theta[0]!);
  return {
    score: factor * prior.score,
    gapToBest: factor * prior.gapToBest,
    sizeOffsets: prior.sizeOffsets.map(
      (offset, m) => offset + theta[m + 1]! - (factor - 1) * (m + 1) * problem.meanRight,
    ),
    sizeSlopes: prior.sizeSlopes,
  };
}

interface Problem {
  readonly pool: number;
  readonly width: number;
  /** l⁰, requests × pool. */
  readonly logits: Float64Array;
  /** c⁰, requests × width. */
  readonly offsets: Float64Array;
  /** By request: sum of l⁰ of the right tools, and their number. */
  readonly sums: readonly number[];
  readonly counts: readonly number[];
  readonly meanRight: number;
}

function problemOf(prior: SetPrior, requests: readonly SizedRequest[], most: number): Problem {
  const width = most + 1;
  const logits = new Float64Array(requests.length * POOL_SIZE).fill(ABSENT);
  const offsets = new Float64Array(requests.length * width);
  const sums: number[] = [];
  const counts: number[] = [];
  for (const [row, { scores, right, requests: asked }] of requests.entries()) {
    const own = priorLogits(prior, scores.subarray(0, POOL_SIZE));
    logits.set(own, row * POOL_SIZE);
    offsets.set(priorSizeOffsets(prior, asked), row * width);
    const seen = right.filter((place) => place < own.length);
    sums.push(seen.reduce((sum, place) => sum + own[place]!, 0));
    counts.push(seen.length);
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  const meanRight = sums.reduce((sum, value) => sum + value, 0) / Math.max(1, total);
  return { pool: POOL_SIZE, width, logits, offsets, sums, counts, meanRight };
}

/** Slope of the posterior: what the sets hold less what the distribution expects, and the pull of the prior. */
function gradientAt(problem: Problem, theta: Float64Array): Float64Array {
  const { pool, width, logits, offsets, sums, counts, meanRight } = problem;
  const factor = Math.exp(theta[0]!);
  const shifted = offsets.map((offset, at) => {
    const m = at % width;
    return m === 0 ? offset : offset + theta[m]! - (factor - 1) * m * meanRight;
  });
  const { sizes, inclusion } = setDistributions(
    logits.map((logit) => (logit === ABSENT ? ABSENT : factor * logit)),
    shifted,
    { pool },
  );
  const gradient = theta.map((value, i) => -2 * (i === 0 ? FACTOR_RIDGE : OFFSET_RIDGE) * value);
  for (const [row, count] of counts.entries()) {
    if (count === 0) continue;
    let expectedSum = 0;
    let expectedSize = 0;
    for (let t = 0; t < pool; t++) {
      const probability = inclusion[row * pool + t]!;
      expectedSize += probability;
      if (probability > 0) expectedSum += probability * logits[row * pool + t]!;
    }
    gradient[0]! += factor * (sums[row]! - expectedSum - meanRight * (count - expectedSize));
    for (let m = 1; m < width; m++) gradient[m]! += Number(count === m) - sizes[row * width + m]!;
  }
  return gradient;
}
