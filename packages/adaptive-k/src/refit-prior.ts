import { maximise, type Slope } from "@setwise/core";
import { setDistributions } from "@setwise/native";
import { POOL_SIZE } from "./choose-k.ts";
import { priorLogits, priorSizeOffsets, type SetPrior } from "./set-prior.ts";

/*
 * The most probable constants given some labelled requests: six numbers, the size offsets and one factor of all logits, by maximum a posteriori.
 *   l = a·l⁰,  c_m = c⁰_m + δ_m − (a − 1)·m·l̄,  maximise Σ log P(E | x) − 0.1·Σ δ_m² − 2·(log a)²,
 * all divided by the number of requests, so that a step along the slope is as long for thousands as for twenty.
 * l̄ is the mean logit of the right tools, so that a change of a alone leaves the sizes where they are.
 */

/** A request with one to five right tools among its candidates. */
export interface SizedRequest {
  readonly scores: Float32Array;
  readonly right: readonly number[];
  readonly requests: number;
  readonly wordEvidence?: number | undefined;
}

/** Chosen on train and dev queries, 50 requests of each data set; so weak that 50 requests decide. */
const OFFSET_RIDGE = 0.1;
const FACTOR_RIDGE = 2;
const MOST_LOG_FACTOR = 3;
/** With a thousand times less gain the numbers change from the fifth digit on, and it takes three times as long. */
const search = { mostSteps: 120, leastGain: 1e-9 };
/** A logit with which a tool is in no set: candidates are filled up to one number with it. */
const ABSENT = -1e6;

/** The constants that suit `prior` and the requests together. */
export function refitPrior(prior: SetPrior, requests: readonly SizedRequest[]): SetPrior {
  const most = prior.sizeOffsets.length;
  const problem = problemOf(prior, requests, most);
  const theta = maximise(new Float64Array(1 + most), (at) => posteriorAt(problem, at), search);
  const factor = Math.exp(theta[0]!);
  return {
    score: factor * prior.score,
    gapToBest: factor * prior.gapToBest,
    ...(prior.evidence === undefined ? {} : { evidence: factor * prior.evidence }),
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
  for (const [row, { scores, right, requests: asked, wordEvidence }] of requests.entries()) {
    const own = priorLogits(prior, scores.subarray(0, POOL_SIZE), wordEvidence);
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

/** The logarithm of the posterior a request, and its slope: what the sets hold less what the distribution expects, and the pull of the prior. */
function posteriorAt(problem: Problem, theta: Float64Array): Slope {
  const { pool, width, logits, offsets, sums, counts, meanRight } = problem;
  // A step far out of sight, which is then halved.
  if (!(Math.abs(theta[0]!) <= MOST_LOG_FACTOR && theta.every(Number.isFinite))) {
    return { value: -Infinity, gradient: new Float64Array(theta.length) };
  }
  const factor = Math.exp(theta[0]!);
  const shifted = offsets.map((offset, at) => {
    const m = at % width;
    return m === 0 ? offset : offset + theta[m]! - (factor - 1) * m * meanRight;
  });
  const { sizes, inclusion, logZ } = setDistributions(
    logits.map((logit) => (logit === ABSENT ? ABSENT : factor * logit)),
    shifted,
    { pool },
  );
  const ridges = theta.map((_, i) => (i === 0 ? FACTOR_RIDGE : OFFSET_RIDGE));
  const slope = theta.map((value, i) => -2 * ridges[i]! * value);
  let value = theta.reduce((sum, part, i) => sum - ridges[i]! * part * part, 0);
  for (const [row, count] of counts.entries()) {
    if (count === 0) continue;
    value += factor * sums[row]! + shifted[row * width + count]! - logZ[row]!;
    let expectedSum = 0;
    let expectedSize = 0;
    for (let t = 0; t < pool; t++) {
      const probability = inclusion[row * pool + t]!;
      expectedSize += probability;
      if (probability > 0) expectedSum += probability * logits[row * pool + t]!;
    }
    slope[0]! += factor * (sums[row]! - expectedSum - meanRight * (count - expectedSize));
    for (let m = 1; m < width; m++) slope[m]! += Number(count === m) - sizes[row * width + m]!;
  }
  return { value: value / counts.length, gradient: slope.map((part) => part / counts.length) };
}
