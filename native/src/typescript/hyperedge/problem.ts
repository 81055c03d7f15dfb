import { KernelError } from "../../errors.ts";
import type { Alignment, HyperedgeRequest } from "../../hyperedge-kernel.ts";
import { largestValue } from "../../hyperedge-request.ts";
import { exp } from "../elementary.ts";

/**
 * A request made ready for search: the candidates that may be used, renumbered without gaps in the order of the pool, which is
 * called their index. The arrays grow to the largest request seen and are longer than `count` says.
 */
export interface Problem {
  /** How many candidates may be used. */
  count: number;
  /** The largest set that may be answered; 0 when only the empty one can. */
  largest: number;
  /** The position in the pool of each index, ascending. */
  positions: Uint32Array;
  /** l by index. */
  logits: Float64Array;
  /** e^(l − L) by index, where L is the largest logit here; only for softmax. */
  weights: Float64Array;
  /** G_2 … G_largest by index, each count × count, symmetric; minus infinity where two exclude each other. */
  pairs: Float64Array;
  /** c_1 … c_largest. */
  readonly offsets: Float64Array;
  /** The score of the empty set; NaN when it may not be answered. */
  emptyScore: number;
  /** 1 where an answered set must hold this index. */
  required: Uint8Array;
  /** How many must be held. */
  requiredCount: number;
  /** What each index costs. */
  tokens: Float64Array;
  /** What a set may cost; infinite when nothing is counted. */
  budget: number;
  alignment: Alignment;
  marks: Uint8Array;
}

const isRequired = 1;
const isExcluded = 2;

export function createProblem(): Problem {
  return {
    count: 0,
    largest: 0,
    positions: new Uint32Array(0),
    logits: new Float64Array(0),
    weights: new Float64Array(0),
    pairs: new Float64Array(0),
    offsets: new Float64Array(8),
    emptyScore: Number.NaN,
    required: new Uint8Array(0),
    requiredCount: 0,
    tokens: new Float64Array(0),
    budget: Number.POSITIVE_INFINITY,
    alignment: "sum",
    marks: new Uint8Array(0),
  };
}

/** Checks the numbers of a request and takes it over. */
export function fillProblem(problem: Problem, request: HyperedgeRequest): void {
  checkValues("logits", request.logits);
  const { maxSize, maxTools, emptyScore } = request;
  makeRoom(problem, request.logits.length);
  fillCandidates(problem, request);
  const { count } = problem;
  const largest = Math.min(maxSize, maxTools, count);
  problem.largest = largest;
  problem.alignment = request.alignment;
  problem.emptyScore = problem.requiredCount === 0 ? emptyScore : Number.NaN;
  problem.budget = request.maxTokens;
  problem.offsets.fill(0);
  for (let i = 0; i < Math.min(largest, request.sizeOffsets.length); i += 1) {
    problem.offsets[i] = request.sizeOffsets[i]!;
  }
  if (request.alignment === "softmax") fillWeights(problem);
  fillPairs(problem, request);
  fillConflicts(problem, request);
}

function makeRoom(problem: Problem, pool: number): void {
  if (problem.marks.length >= pool) return;
  problem.positions = new Uint32Array(pool);
  problem.logits = new Float64Array(pool);
  problem.weights = new Float64Array(pool);
  problem.required = new Uint8Array(pool);
  problem.tokens = new Float64Array(pool);
  problem.marks = new Uint8Array(pool);
}

function fillCandidates(problem: Problem, request: HyperedgeRequest): void {
  const { marks, positions, logits, required, tokens } = problem;
  const pool = request.logits.length;
  marks.fill(0, 0, pool);
  for (const position of request.require) marks[position]! |= isRequired;
  for (const position of request.exclude) marks[position]! |= isExcluded;
  let count = 0;
  problem.requiredCount = 0;
  for (let position = 0; position < pool; position += 1) {
    const mark = marks[position]!;
    // What is required and excluded at once stays among the required, so that no set can hold all of them.
    problem.requiredCount += mark & isRequired;
    if ((mark & isExcluded) !== 0) continue;
    positions[count] = position;
    logits[count] = request.logits[position]!;
    required[count] = mark & isRequired;
    tokens[count] = request.tokens.length === 0 ? 0 : request.tokens[position]!;
    count += 1;
  }
  problem.count = count;
}

function fillWeights(problem: Problem): void {
  const { logits, weights, count } = problem;
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i += 1) top = Math.max(top, logits[i]!);
  for (let i = 0; i < count; i += 1) weights[i] = exp(logits[i]! - top);
}

function fillPairs(problem: Problem, request: HyperedgeRequest): void {
  const { positions, count, largest } = problem;
  const pool = request.logits.length;
  const length = Math.max(0, largest - 1) * count * count;
  if (problem.pairs.length < length) problem.pairs = new Float64Array(length);
  const { pairs } = problem;
  const { pairScores } = request;
  for (let size = 2; size <= largest; size += 1) {
    const from = (size - 2) * pool * pool;
    const to = (size - 2) * count * count;
    for (let a = 0; a < count; a += 1) {
      const row = from + positions[a]! * pool;
      pairs[to + a * count + a] = 0;
      for (let b = a + 1; b < count; b += 1) {
        const value = pairScores[row + positions[b]!]!;
        if (!(Math.abs(value) <= largestValue)) throw outOfRange("pairScores", value, row + positions[b]!);
        pairs[to + a * count + b] = value;
        pairs[to + b * count + a] = value;
      }
    }
  }
}

/** At most one of a group: minus infinity between its members, whatever the size. */
function fillConflicts(problem: Problem, request: HyperedgeRequest): void {
  const { positions, count, largest, pairs, marks } = problem;
  const { groupEnds, groupMembers } = request;
  let start = 0;
  for (const end of groupEnds) {
    marks.fill(0);
    for (let i = start; i < end; i += 1) marks[groupMembers[i]!] = 1;
    start = end;
    for (let a = 0; a < count; a += 1) {
      if (marks[positions[a]!] === 0) continue;
      for (let b = 0; b < count; b += 1) {
        if (b === a || marks[positions[b]!] === 0) continue;
        for (let size = 2; size <= largest; size += 1) {
          pairs[((size - 2) * count + a) * count + b] = Number.NEGATIVE_INFINITY;
        }
      }
    }
  }
}

export function checkValues(name: string, values: Float64Array): void {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (!(Math.abs(value) <= largestValue)) throw outOfRange(name, value, i);
  }
}

function outOfRange(name: string, value: number, position: number): KernelError {
  const text = `${name}: expected numbers from -1e100 to 1e100, got ${value} at position ${position}.`;
  return new KernelError("invalid-argument", text);
}
