/**
 * Greedy ranking by marginal gain: `A_k = A_{k−1} ∪ {argmax_t F(A_{k−1} ∪ {t})}` (HYSET, section 3.4), and beyond M members with
 * `G_M` and `c_M`, which is an extension of ours.
 *
 * The order of arithmetic, with the members a₁, a₂, … in the order in which they were chosen and m = min(k, M):
 * - `row[x] = ((0 + G_m[a₁, x]) + G_m[a₂, x]) + …`, and `P = ((0 + row(a₂)) + row(a₃)) + …`, where each row is over the members before;
 * - sum: `F = ((c_m + P) + row[x]) + ((((0 + l₁) + l₂) + …) + l_x)`;
 * - softmax: `F = ((c_m + P) + row[x]) + (S1 + l_x·w_x) / (S0 + w_x)` with `w = e^(l − L)`, L the largest logit that is not excluded,
 *   `S0 = ((0 + w₁) + w₂) + …` and `S1` alike of `l·w`; where the denominator is below 1e-290, L is the largest logit of the set;
 * - the first member: `F = c_1 + l_x`;
 * - a ranking ends before the first size whose c is minus infinity.
 */
import { KernelError } from "../../errors.ts";
import type { HyperedgeRequest } from "../../hyperedge-kernel.ts";
import { exp } from "../elementary.ts";
import { checkValues } from "./problem.ts";
import { smallestSum } from "./score.ts";

/** A candidate's mark: may be chosen, must be chosen first, or cannot be chosen (any more). */
const open = 0;
const required = 1;
const blocked = 2;

interface Scratch {
  readonly weights: Float64Array;
  readonly row: Float64Array;
  readonly marks: Uint8Array;
}

/** Grows to the largest pool seen. */
let scratch: Scratch = { weights: new Float64Array(0), row: new Float64Array(0), marks: new Uint8Array(0) };

/**
 * Ranks every query. Fills `ids` and `columns` (first as many gains as `ids` has room for, then as many scores), one query behind the
 * other, and `offsets`; a query has no entries when the required candidates cannot be had together.
 */
export function rankInTypescript(
  request: HyperedgeRequest,
  ids: Uint32Array,
  columns: Float64Array,
  offsets: Uint32Array,
): void {
  checkValues("logits", request.logits);
  for (let query = 0; query + 1 < offsets.length; query += 1) {
    offsets[query + 1] = offsets[query]! + rankQuery(request, query, offsets[query]!, ids, columns);
  }
}

/** Ranks one query from position `at` of the columns on, and returns how many were ranked. */
function rankQuery(
  request: HyperedgeRequest,
  query: number,
  at: number,
  ids: Uint32Array,
  columns: Float64Array,
): number {
  const { pool, pairScores, maxSize, sizeOffsets, tokens, emptyScore } = request;
  const logits = request.logits.subarray(query * pool, (query + 1) * pool);
  const pairs = (maxSize - 1) * pool * pool;
  const firstPair = pairScores.length === pairs ? 0 : query * pairs;
  let requiredLeft = restart(request, logits);
  const { weights, row, marks } = scratch;
  const room = ids.length;
  const k = Math.min(room / (request.logits.length / Math.max(pool, 1) || 1), reachable(sizeOffsets));
  if (requiredLeft > k) return 0;
  const sum = request.alignment === "sum";
  let budget = request.maxTokens;
  let pairSum = 0;
  let logitSum = 0;
  let s0 = 0;
  let s1 = 0;
  let before = Number.isNaN(emptyScore) ? 0 : emptyScore;
  for (let step = 0; step < k; step += 1) {
    const size = Math.min(step + 1, maxSize);
    if (step > 0 && maxSize > 1) {
      const from = step < maxSize ? 0 : step - 1;
      if (from === 0) {
        row.fill(0, 0, pool);
        pairSum = 0;
      }
      for (let i = from; i < step; i += 1) {
        const member = ids[at + i]!;
        pairSum += row[member]!;
        const start = firstPair + ((size - 2) * pool + member) * pool;
        for (let x = 0; x < pool; x += 1) row[x] = row[x]! + pairScores[start + x]!;
      }
    }
    const base = (sizeOffsets.length === 0 ? 0 : sizeOffsets[size - 1]!) + pairSum;
    const wanted = requiredLeft > 0 ? required : open;
    let best = -1;
    let bestScore = Number.NEGATIVE_INFINITY;
    // 0 or NaN: a number less itself is 0 unless it is NaN or infinite.
    let check = 0;
    if (sum || step === 0) {
      for (let x = 0; x < pool; x += 1) {
        const score = base + row[x]! + (logitSum + logits[x]!);
        check += score - score;
        if (score > bestScore && marks[x] === wanted) {
          best = x;
          bestScore = score;
        }
      }
    } else {
      for (let x = 0; x < pool; x += 1) {
        const denominator = s0 + weights[x]!;
        const alignment =
          denominator < smallestSum
            ? farAlignment(logits, ids.subarray(at, at + step), x)
            : (s1 + logits[x]! * weights[x]!) / denominator;
        const score = base + row[x]! + alignment;
        check += score - score;
        if (score > bestScore && marks[x] === wanted) {
          best = x;
          bestScore = score;
        }
      }
    }
    if (check !== 0) throw notFinite(step);
    if (best < 0) return requiredLeft > 0 ? 0 : step;
    if (tokens.length > 0) {
      budget -= tokens[best]!;
      if (budget < 0) return 0;
    }
    ids[at + step] = best;
    columns[at + step] = bestScore - before;
    columns[room + at + step] = bestScore;
    before = bestScore;
    if (requiredLeft > 0) requiredLeft -= 1;
    take(marks, request, best);
    if (requiredLeft === 0 && tokens.length > 0) block(marks, tokens, budget);
    logitSum += logits[best]!;
    if (!sum) {
      s0 += weights[best]!;
      s1 += logits[best]! * weights[best]!;
    }
  }
  return k;
}

/** How many sizes there are before the first that is forbidden. */
function reachable(sizeOffsets: Float64Array): number {
  const forbidden = sizeOffsets.indexOf(Number.NEGATIVE_INFINITY);
  return forbidden < 0 ? Number.POSITIVE_INFINITY : forbidden;
}

/** Sets the scratch up, and returns how many candidates are required. */
function restart(
  { pool, require, exclude, alignment, tokens, maxTokens }: HyperedgeRequest,
  logits: Float64Array,
): number {
  if (scratch.row.length < pool) {
    scratch = { weights: new Float64Array(pool), row: new Float64Array(pool), marks: new Uint8Array(pool) };
  }
  const { weights, row, marks } = scratch;
  row.fill(0, 0, pool);
  marks.fill(open, 0, pool);
  let left = 0;
  for (const position of require) {
    if (marks[position] === open) left += 1;
    marks[position] = required;
  }
  for (const position of exclude) marks[position] = blocked;
  if (alignment === "softmax") {
    let top = Number.NEGATIVE_INFINITY;
    for (let x = 0; x < pool; x += 1) if (marks[x] !== blocked && logits[x]! > top) top = logits[x]!;
    for (let x = 0; x < pool; x += 1) weights[x] = exp(Math.min(logits[x]! - top, 0));
  }
  if (left === 0 && tokens.length > 0) block(marks, tokens, maxTokens);
  return left;
}

/** Blocks what is no longer affordable. */
function block(marks: Uint8Array, tokens: Uint32Array, budget: number): void {
  for (let x = 0; x < tokens.length; x += 1) if (tokens[x]! > budget) marks[x] = blocked;
}

/** Blocks a new member and those that share a group with it. */
function take(marks: Uint8Array, { groupEnds, groupMembers }: HyperedgeRequest, member: number): void {
  marks[member] = blocked;
  let start = 0;
  for (const end of groupEnds) {
    const group = groupMembers.subarray(start, end);
    start = end;
    if (group.includes(member)) for (const other of group) marks[other] = blocked;
  }
}

/** S1 / S0 of the members and one more, relative to their own largest logit. */
function farAlignment(logits: Float64Array, members: Uint32Array, x: number): number {
  let top = logits[x]!;
  for (const member of members) top = Math.max(top, logits[member]!);
  let s0 = 0;
  let s1 = 0;
  for (let i = 0; i <= members.length; i += 1) {
    const logit = logits[members[i] ?? x]!;
    const weight = exp(logit - top);
    s0 += weight;
    s1 += logit * weight;
  }
  return s1 / s0;
}

function notFinite(step: number): KernelError {
  return new KernelError(
    "invalid-argument",
    `pairScores: expected finite pair scores and offsets, got a score that is NaN or infinite after ${step} members.`,
  );
}
