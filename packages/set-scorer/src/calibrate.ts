import { maximise, type Slope } from "@setwise/core";
import { enumerateHyperedges, setDistributions } from "@setwise/native";
import type { SetCalibration } from "./set-model.ts";
import { setKey } from "./set-score.ts";
import { calibrated, type SetEvidence } from "./set-scorer.ts";

/*
 * The numbers of the calibration are those with the largest log likelihood Σ log P(E_i | x_i) of development sets. F is linear in them, so the
 * gradient is what the right sets have less what all sets have in expectation: of a size's offset its count less its probability, of the match scale
 * Σ log p over the set less Σ P(t ∈ E) log p_t. Of the pair scales the derivative of log Z is taken by differences.
 *
 * That a set was logged speaks for it or for nothing: k is 0 or more. A log may contradict what ranks, but does not turn it round: a is above 0.
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
/** a where the likelihood is largest at 0 or below: the order stays, and says next to nothing of what fits. */
const LEAST_MATCH_SCALE = 0.01;
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

/**
 * The likeliest calibration for sets of at most `maxSize` tools.
 *
 * @param near The search begins there: the calibration of a model with fewer terms saves steps, and changes nothing else.
 */
export function calibrate(
  all: readonly LabelledEvidence[],
  maxSize: number,
  terms: PairTerms,
  near?: SetCalibration,
): SetCalibration {
  return calibrateWithin(all, { maxSize, terms, near, holdsMatch: false });
}

interface Search {
  readonly maxSize: number;
  readonly terms: PairTerms;
  readonly near: SetCalibration | undefined;
  readonly holdsMatch: boolean;
}

/** The same; with `holdsMatch` a is {@link LEAST_MATCH_SCALE}. */
function calibrateWithin(all: readonly LabelledEvidence[], search: Search): SetCalibration {
  const { maxSize, terms, near, holdsMatch } = search;
  const queries = all.filter(({ gold, evidence }) => gold.length <= maxSize && evidence.ids.length > 0);
  const learnsEmpty = queries.filter(({ gold }) => gold.length === 0).length >= LEAST_EMPTY;
  const used = queries.filter(({ gold }) => gold.length > 0 || learnsEmpty);
  const shape: Shape = { maxSize, terms, learnsEmpty, holdsMatch };
  const start = startingNumbers(used, shape);
  const prepared = used.map((query) => prepare(query, shape));
  const first = near === undefined ? start : numbersNear(near, start, shape);
  const found = maximise(first, (numbers) => likelihood(prepared, numbers, start, shape));
  // The likelihood is concave: where it is largest at a k below 0, the best of those from 0 on is 0.
  if (terms.knownSets && found[3]! < 0) {
    return calibrateWithin(all, { ...search, terms: { ...terms, knownSets: false } });
  }
  if (!(found[0]! > 0)) return calibrateWithin(all, { ...search, holdsMatch: true });
  return readNumbers(found, shape);
}

interface Shape {
  readonly maxSize: number;
  readonly terms: PairTerms;
  readonly learnsEmpty: boolean;
  readonly holdsMatch: boolean;
}

/** a, b, u, k, c_0, c_1 … c_M, β_2 … β_M; β_1 is 0, since only differences between sizes count. */
function readNumbers(numbers: Float64Array, { maxSize, terms, learnsEmpty }: Shape): SetCalibration {
  const offsets = numbers.subarray(5, 5 + maxSize);
  return {
    matchScale: numbers[0]!,
    pairScale: terms.interactions ? numbers[1]! : 0,
    coUseScale: terms.coUse ? numbers[2]! : 0,
    knownSetScale: terms.knownSets ? numbers[3]! : 0,
    emptyScore: learnsEmpty ? numbers[4]! : undefined,
    sizeOffsets: [...offsets],
    requestSlopes: [0, ...numbers.subarray(5 + maxSize)],
  };
}

function startingNumbers(queries: readonly LabelledEvidence[], { maxSize, terms, holdsMatch }: Shape): Float64Array {
  const numbers = new Float64Array(5 + 2 * maxSize - 1);
  numbers[0] = holdsMatch ? LEAST_MATCH_SCALE : 1;
  numbers[1] = terms.interactions ? 1 : 0;
  numbers[2] = terms.coUse ? 0.5 : 0;
  numbers[3] = terms.knownSets ? 0.5 : 0;
  for (let size = 1; size <= maxSize; size++) {
    const isSeen = queries.some(({ gold }) => gold.length === size);
    numbers[4 + size] = isSeen ? size : UNSEEN_OFFSET;
  }
  return numbers;
}

/** The numbers of a calibration, and where it does without a term, what that begins with. */
function numbersNear(near: SetCalibration, start: Float64Array, { maxSize, holdsMatch }: Shape): Float64Array {
  const { matchScale, pairScale, coUseScale, knownSetScale, emptyScore, sizeOffsets, requestSlopes } = near;
  if (sizeOffsets.length !== maxSize) return start;
  const scales = [pairScale, coUseScale, knownSetScale].map((scale, at) => (scale === 0 ? start[at + 1]! : scale));
  const match = holdsMatch ? start[0]! : matchScale;
  return Float64Array.of(match, ...scales, emptyScore ?? start[4]!, ...sizeOffsets, ...requestSlopes.slice(1));
}

/** All that F of one set is made of: it is linear in the calibration's numbers. */
interface SetTerms {
  readonly size: number;
  /** Σ log p. */
  readonly matched: number;
  /** Σ z · M_|E| z. */
  readonly paired: number;
  /** Σ couse. */
  readonly used: number;
  /** known(E). */
  readonly known: number;
}

/** A query with what no number changes. */
interface PreparedQuery {
  readonly evidence: SetEvidence;
  readonly gold: SetTerms;
  /** Of the sets of the pool that were logged. */
  readonly known: readonly (SetTerms & { readonly members: Uint32Array })[];
}

function prepare({ evidence, gold }: LabelledEvidence, { maxSize, terms }: Shape): PreparedQuery {
  const { offsets, members, gains } = evidence.known;
  const known = Array.from(terms.knownSets ? gains : none, (gain, set) => {
    const positions = members.subarray(offsets[set], offsets[set + 1]);
    return { ...termsOf(evidence, positions, terms, gain), members: positions };
  }).filter(({ size }) => size <= maxSize);
  const key = setKey(gold);
  const logged = known.find((set) => setKey(set.members) === key)?.known ?? 0;
  return { evidence, gold: termsOf(evidence, gold, terms, logged), known };
}

function termsOf(evidence: SetEvidence, members: Uint32Array, terms: PairTerms, known: number): SetTerms {
  const { logProbabilities, interactions, coUse } = evidence;
  const [size, pool] = [members.length, logProbabilities.length];
  const pairs = size < 2 ? none : interactions.subarray((size - 2) * pool * pool, (size - 1) * pool * pool);
  return {
    size,
    matched: members.reduce((sum, position) => sum + logProbabilities[position]!, 0),
    paired: terms.interactions ? pairSum(pairs, members, pool) : 0,
    used: terms.coUse ? pairSum(coUse, members, pool) : 0,
    known,
  };
}

/** F of a set. */
function scoreOf({ size, matched, paired, used, known }: SetTerms, calibration: SetCalibration, more: number): number {
  const { matchScale, pairScale, coUseScale, knownSetScale, sizeOffsets, requestSlopes, emptyScore = 0 } = calibration;
  const offset = size === 0 ? emptyScore : sizeOffsets[size - 1]! + requestSlopes[size - 1]! * more;
  return matchScale * matched + pairScale * paired + coUseScale * used + knownSetScale * known + offset;
}

/**
 * The log likelihood with its gradient. Its curvature is about the sum of the squared gradients of single queries (Berndt, Hall, Hall and Hausman 1974),
 * exactly so in expectation where the model is right.
 */
function likelihood(
  queries: readonly PreparedQuery[],
  numbers: Float64Array,
  start: Float64Array,
  shape: Shape,
): Slope {
  const { maxSize, terms, learnsEmpty, holdsMatch } = shape;
  const gradient = new Float64Array(numbers.length);
  const curvature = new Float64Array(numbers.length ** 2);
  const slopes = new Float64Array(numbers.length);
  const calibration = readNumbers(numbers, shape);
  let value = 0;
  for (const query of queries) {
    const { gold } = query;
    const { logProbabilities, moreRequests } = query.evidence;
    const expected = expectationsOf(query, calibration, terms);
    value += scoreOf(gold, calibration, moreRequests) - expected.logPartition;
    if (!holdsMatch)
      slopes[0] = gold.matched - logProbabilities.reduce((sum, l, place) => sum + l * expected.inclusion[place]!, 0);
    slopes[1] = gold.paired - expected.paired;
    slopes[2] = gold.used - expected.used;
    slopes[3] = gold.known - expected.known;
    if (learnsEmpty) slopes[4] = Number(gold.size === 0) - expected.sizes[0]!;
    for (let m = 1; m <= maxSize; m++) {
      const surprise = Number(gold.size === m) - expected.sizes[m]!;
      slopes[4 + m] = surprise;
      if (m > 1) slopes[3 + maxSize + m] = surprise * moreRequests;
    }
    for (const [i, slope] of slopes.entries()) {
      gradient[i]! += slope;
      for (const [j, other] of slopes.entries()) curvature[i * slopes.length + j]! += slope * other;
    }
  }
  for (let i = 0; i < numbers.length; i++) {
    const isOffset = i >= 4 && i < 5 + maxSize;
    const weight = isOffset ? PRIOR / 100 : PRIOR;
    const distance = numbers[i]! - start[i]!;
    value -= (weight / 2) * distance * distance;
    gradient[i]! -= weight * distance;
    curvature[i * numbers.length + i]! += weight;
  }
  return { value, gradient, curvature };
}

const none: Float64Array = new Float64Array(0);

interface SetDistribution {
  readonly logPartition: number;
  /** P(t ∈ E) of each position. */
  readonly inclusion: Float64Array;
  /** P(|E| = m), m = 0 … M. */
  readonly sizes: Float64Array;
}

/** What all sets have in expectation. */
interface Expectations extends SetDistribution {
  readonly paired: number;
  readonly used: number;
  readonly known: number;
}

function expectationsOf(
  { evidence, known: sets }: PreparedQuery,
  calibration: SetCalibration,
  terms: PairTerms,
): Expectations {
  const plain = distributionOf(evidence, calibration);
  const slope = (name: "pairScale" | "coUseScale"): number => {
    // A difference: log Z is smooth, and a small step of a dozen numbers needs no more.
    const next = distributionOf(evidence, { ...calibration, [name]: calibration[name] + DIFFERENCE });
    return (next.logPartition - plain.logPartition) / DIFFERENCE;
  };
  let paired = terms.interactions ? slope("pairScale") : 0;
  let used = terms.coUse ? slope("coUseScale") : 0;
  if (sets.length === 0) return { ...plain, paired, used, known: 0 };
  const { knownSetScale } = calibration;
  const [inclusion, sizes] = [plain.inclusion.slice(), plain.sizes.slice()];
  let [extra, known] = [0, 0];
  for (const set of sets) {
    // Both relative to Z without known sets.
    const all = Math.exp(scoreOf(set, calibration, evidence.moreRequests) - plain.logPartition);
    const more = -all * Math.expm1(-knownSetScale * set.known);
    extra += more;
    known += all * set.known;
    paired += more * set.paired;
    used += more * set.used;
    for (const position of set.members) inclusion[position]! += more;
    sizes[set.size]! += more;
  }
  const total = 1 + extra;
  return {
    logPartition: plain.logPartition + Math.log1p(extra),
    inclusion: inclusion.map((value) => value / total),
    sizes: sizes.map((value) => value / total),
    paired: paired / total,
    used: used / total,
    known: known / total,
  };
}

/** Without known sets. */
function distributionOf(evidence: SetEvidence, calibration: SetCalibration): SetDistribution {
  const { logits, pairScores, sizeOffsets = none, emptyScore } = calibrated(evidence, calibration);
  if (pairScores === undefined) {
    const offsets = Float64Array.of(emptyScore ?? Number.NEGATIVE_INFINITY, ...sizeOffsets);
    const { logZ, inclusion, sizes } = setDistributions(logits, offsets);
    return { logPartition: logZ[0]!, inclusion, sizes };
  }
  const { distribution } = enumerateHyperedges(logits, pairScores, {
    maxSize: sizeOffsets.length,
    sizeOffsets,
    ...(emptyScore === undefined ? {} : { emptyScore }),
    count: 0,
    distribution: true,
  });
  const { logPartition = 0, inclusion = none, sizes = none } = distribution ?? {};
  return { logPartition, inclusion, sizes };
}

function pairSum(matrix: Float64Array, members: Uint32Array, width: number): number {
  if (matrix.length === 0) return 0;
  let sum = 0;
  for (let a = 1; a < members.length; a++) {
    for (let b = 0; b < a; b++) sum += matrix[members[a]! * width + members[b]!]!;
  }
  return sum;
}
