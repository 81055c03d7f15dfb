import { enumerateHyperedges } from "@setwise/native";
import { maximise } from "./maximise.ts";
import type { SetCalibration } from "./set-model.ts";
import { scoreOfMembers, setKey } from "./set-score.ts";
import { calibrated, type SetEvidence } from "./set-scorer.ts";

/*
 * The numbers of the calibration are those with the largest log likelihood Σ log P(E_i | x_i) of development sets. F is linear in them, so the
 * gradient is what the right sets have less what all sets have in expectation: of a size's offset its count less its probability, of the match scale
 * Σ log p over the set less Σ P(t ∈ E) log p_t. Of the pair scales the derivative of log Z is taken by differences.
 *
 * Scales are held near where they begin, slopes near 0, by small squares, since development queries can be few.
 */

/** A development query: what is known of it and the tools that served it. */
export interface LabelledEvidence {
  readonly evidence: SetEvidence;
  /** Positions in the pool; tools that are not in the pool are lost. */
  readonly gold: Uint32Array;
}

/** So many requests without a tool in the log teach the score of the empty set. */
const LEAST_EMPTY = 5;
/** So much a query in favour of where the numbers begin. */
const PRIOR = 2;
const DIFFERENCE = 1e-5;
/** c begins here, for sizes that no development query has: they stay unlikely. */
const UNSEEN_OFFSET = -4;

/** Positions in the pool of the tools that are in it. */
export function goldIn({ ids }: SetEvidence, tools: Uint32Array): Uint32Array {
  return Uint32Array.from(Array.from(tools, (tool) => ids.indexOf(tool)).filter((position) => position >= 0));
}

/** Which pair terms there are to scale. */
export interface PairTerms {
  readonly interactions: boolean;
  readonly coUse: boolean;
  readonly knownSets: boolean;
}

/** The likeliest calibration for sets of at most `maxSize` tools. */
export function calibrate(all: readonly LabelledEvidence[], maxSize: number, terms: PairTerms): SetCalibration {
  const queries = all.filter(({ gold, evidence }) => gold.length <= maxSize && evidence.ids.length > 0);
  const learnsEmpty = queries.filter(({ gold }) => gold.length === 0).length >= LEAST_EMPTY;
  const used = queries.filter(({ gold }) => gold.length > 0 || learnsEmpty);
  const shape: Shape = { maxSize, terms, learnsEmpty };
  const start = startingNumbers(used, shape);
  const logged = used.map(({ evidence, gold }) => knownValue(evidence, gold));
  const found = maximise(start, (numbers) => likelihood(used, logged, numbers, start, shape));
  return readNumbers(found, shape);
}

interface Shape {
  readonly maxSize: number;
  readonly terms: PairTerms;
  readonly learnsEmpty: boolean;
}

/** a, b, u, k, c_0, c_1 … c_M, β_2 … β_M; β_1 is 0, since only differences between sizes count. */
function readNumbers(numbers: Float64Array, { maxSize, terms, learnsEmpty }: Shape): SetCalibration {
  const offsets = numbers.subarray(5, 5 + maxSize);
  return {
    matchScale: numbers[0]!,
    pairScale: terms.interactions ? numbers[1]! : 0,
    coUseScale: terms.coUse ? numbers[2]! : 0,
    knownSetScale: terms.knownSets ? Math.max(0, numbers[3]!) : 0,
    emptyScore: learnsEmpty ? numbers[4]! : undefined,
    sizeOffsets: [...offsets],
    requestSlopes: [0, ...numbers.subarray(5 + maxSize)],
  };
}

function startingNumbers(queries: readonly LabelledEvidence[], { maxSize, terms }: Shape): Float64Array {
  const numbers = new Float64Array(5 + 2 * maxSize - 1);
  numbers[0] = 1;
  numbers[1] = terms.interactions ? 1 : 0;
  numbers[2] = terms.coUse ? 0.5 : 0;
  numbers[3] = terms.knownSets ? 0.5 : 0;
  for (let size = 1; size <= maxSize; size++) {
    const isSeen = queries.some(({ gold }) => gold.length === size);
    numbers[4 + size] = isSeen ? size : UNSEEN_OFFSET;
  }
  return numbers;
}

/** The log likelihood with its gradient. */
function likelihood(
  queries: readonly LabelledEvidence[],
  loggedOf: readonly number[],
  numbers: Float64Array,
  start: Float64Array,
  shape: Shape,
): { readonly value: number; readonly gradient: Float64Array } {
  const { maxSize, terms, learnsEmpty } = shape;
  const gradient = new Float64Array(numbers.length);
  const calibration = readNumbers(numbers, shape);
  let value = 0;
  for (const [query, { evidence, gold }] of queries.entries()) {
    const { logProbabilities, interactions, coUse, moreRequests } = evidence;
    const { logPartition, inclusion, sizes, known } = distributionOf(evidence, calibration);
    const size = gold.length;
    const pool = logProbabilities.length;
    const matched = gold.reduce((sum, position) => sum + logProbabilities[position]!, 0);
    const pairs = size < 2 ? none : interactions.subarray((size - 2) * pool * pool, (size - 1) * pool * pool);
    const paired = terms.interactions ? pairSum(pairs, gold, pool) : 0;
    const used = terms.coUse ? pairSum(size < 2 ? none : coUse, gold, pool) : 0;
    const logged = terms.knownSets ? loggedOf[query]! : 0;
    const offset = size === 0 ? (calibration.emptyScore ?? 0) : (calibration.sizeOffsets[size - 1] ?? 0);
    const slope = size === 0 ? 0 : (calibration.requestSlopes[size - 1] ?? 0) * moreRequests;
    value +=
      calibration.matchScale * matched +
      calibration.pairScale * paired +
      calibration.coUseScale * used +
      calibration.knownSetScale * logged +
      offset +
      slope -
      logPartition;
    gradient[0]! += matched - logProbabilities.reduce((sum, l, place) => sum + l * inclusion[place]!, 0);
    if (terms.interactions) gradient[1]! += paired - slopeOf(evidence, calibration, "pairScale", logPartition);
    if (terms.coUse) gradient[2]! += used - slopeOf(evidence, calibration, "coUseScale", logPartition);
    if (terms.knownSets) gradient[3]! += logged - known;
    if (learnsEmpty) gradient[4]! += Number(size === 0) - sizes[0]!;
    for (let m = 1; m <= maxSize; m++) {
      const surprise = Number(size === m) - sizes[m]!;
      gradient[4 + m]! += surprise;
      if (m > 1) gradient[3 + maxSize + m]! += surprise * moreRequests;
    }
  }
  for (let i = 0; i < numbers.length; i++) {
    const isOffset = i >= 4 && i < 5 + maxSize;
    const weight = isOffset ? PRIOR / 100 : PRIOR;
    const distance = numbers[i]! - start[i]!;
    value -= (weight / 2) * distance * distance;
    gradient[i]! -= weight * distance;
  }
  return { value, gradient };
}

const none: Float64Array = new Float64Array(0);

/** What gradients are made of. */
interface Distribution {
  readonly logPartition: number;
  readonly inclusion: Float64Array;
  readonly sizes: Float64Array;
  /** Σ P(E) known(E). */
  readonly known: number;
}

function distributionOf(evidence: SetEvidence, calibration: SetCalibration): Distribution {
  const { logits, pairScores = none, sizeOffsets = none, emptyScore } = calibrated(evidence, calibration);
  const request = {
    maxSize: sizeOffsets.length,
    sizeOffsets,
    ...(emptyScore === undefined ? {} : { emptyScore }),
  };
  const { distribution } = enumerateHyperedges(logits, pairScores, { ...request, count: 0, distribution: true });
  const { logPartition = 0, inclusion = none, sizes = none } = distribution ?? {};
  const { knownSetScale } = calibration;
  const { offsets, members, gains: values } = evidence.known;
  if (values.length === 0 || knownSetScale === 0) return { logPartition, inclusion, sizes, known: 0 };
  const pool = { ids: evidence.ids, logits, pairScores, request };
  let [extra, known] = [0, 0];
  for (const [set, value] of values.entries()) {
    const positions = members.subarray(offsets[set], offsets[set + 1]);
    // Relative to Z without known sets.
    const plain = Math.exp(scoreOfMembers(pool, positions) - logPartition);
    const more = plain * Math.expm1(knownSetScale * value);
    extra += more;
    known += value * (plain + more);
    for (const position of positions) inclusion[position]! += more;
    sizes[positions.length]! += more;
  }
  const total = 1 + extra;
  return {
    logPartition: logPartition + Math.log1p(extra),
    inclusion: inclusion.map((value) => value / total),
    sizes: sizes.map((value) => value / total),
    known: known / total,
  };
}

/** known(E) of one set of the pool. */
function knownValue({ known }: SetEvidence, members: Uint32Array): number {
  const key = setKey(members);
  for (const [set, value] of known.gains.entries()) {
    if (setKey(known.members.subarray(known.offsets[set], known.offsets[set + 1])) === key) return value;
  }
  return 0;
}

/** d log Z / d scale, by a difference: log Z is smooth, and a small step of a dozen numbers needs no more. */
function slopeOf(
  evidence: SetEvidence,
  calibration: SetCalibration,
  name: "pairScale" | "coUseScale",
  logPartition: number,
): number {
  const next = { ...calibration, [name]: calibration[name] + DIFFERENCE };
  return (distributionOf(evidence, next).logPartition - logPartition) / DIFFERENCE;
}

function pairSum(matrix: Float64Array, members: Uint32Array, width: number): number {
  if (matrix.length === 0) return 0;
  let sum = 0;
  for (let a = 1; a < members.length; a++) {
    for (let b = 0; b < a; b++) sum += matrix[members[a]! * width + members[b]!]!;
  }
  return sum;
}
