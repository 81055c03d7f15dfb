import { exp } from "../elementary.ts";
import type { Problem } from "./problem.ts";

/** A sum of exponentials below this has lost digits; the set's own largest logit is taken instead. */
export const smallestSum = 1e-290;

/** Whether a set of the first `size` indexes, ascending, holds what is required and keeps to the budget. Groups are in the score. */
export function admits(problem: Problem, members: Uint16Array, size: number): boolean {
  let required = 0;
  let tokens = 0;
  for (let i = 0; i < size; i += 1) {
    required += problem.required[members[i]!]!;
    tokens += problem.tokens[members[i]!]!;
  }
  return required === problem.requiredCount && tokens <= problem.budget;
}

/**
 * F of the set of the first `size` indexes, ascending, 1 to `largest` of them; minus infinity where two exclude each other.
 *
 * This is the definition, operation by operation, of every score of these kernels. The last two members d < e are a pair, the
 * others a₁ < … < aₖ lead to it, and G is that of the set's size:
 * - `x = G[d, e]` (sum: `(l_d + l_e) + G[d, e]`), then for each a in order `x = x + (G[a, d] + G[a, e])`;
 * - `b = c_m`, then for each a in order `b = b + row` (sum: `b + (l_a + row)`), `row = ((0 + G[a₁, a]) + G[a₂, a]) + …`;
 * - sum: `F = b + x`; softmax: `F = (b + x) + S1 / S0` with `w_t = e^(l_t − L)`, L the largest logit of the usable pool,
 *   `S0 = ((0 + w₁) + w₂ + …) + (w_d + w_e)` and `S1 = ((0 + l₁·w₁) + …) + (l_d·w_d + l_e·w_e)`; where S0 < 1e-290, L is the
 *   largest logit of the set;
 * - one member: `F = c_1 + l_d`.
 */
export function score(problem: Problem, members: Uint16Array, size: number): number {
  const { logits, pairs, count } = problem;
  const offset = problem.offsets[size - 1]!;
  if (size === 1) return offset + logits[members[0]!]!;
  const isSum = problem.alignment === "sum";
  const matrix = (size - 2) * count * count;
  const d = members[size - 2]!;
  const e = members[size - 1]!;
  const pair = pairs[matrix + d * count + e]!;
  let x = isSum ? logits[d]! + logits[e]! + pair : pair;
  let b = offset;
  for (let i = 0; i < size - 2; i += 1) {
    const a = members[i]!;
    x += pairs[matrix + a * count + d]! + pairs[matrix + a * count + e]!;
    let row = 0;
    for (let j = 0; j < i; j += 1) row += pairs[matrix + members[j]! * count + a]!;
    b += isSum ? logits[a]! + row : row;
  }
  return isSum ? b + x : b + x + softmaxAlignment(problem, members, size);
}

/** S1 / S0 of two members or more. */
function softmaxAlignment(problem: Problem, members: Uint16Array, size: number): number {
  const { logits, weights } = problem;
  let s0 = 0;
  let s1 = 0;
  for (let i = 0; i < size - 2; i += 1) {
    const weight = weights[members[i]!]!;
    s0 += weight;
    s1 += logits[members[i]!]! * weight;
  }
  const d = members[size - 2]!;
  const e = members[size - 1]!;
  s0 += weights[d]! + weights[e]!;
  s1 += 0 + logits[d]! * weights[d]! + logits[e]! * weights[e]!;
  return s0 >= smallestSum ? s1 / s0 : ownSoftmaxAlignment(logits, members, size);
}

/** The same with L the largest logit of the set. */
function ownSoftmaxAlignment(logits: Float64Array, members: Uint16Array, size: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < size; i += 1) top = Math.max(top, logits[members[i]!]!);
  let s0 = 0;
  let s1 = 0;
  let pair0 = 0;
  let pair1 = 0;
  for (let i = 0; i < size; i += 1) {
    const logit = logits[members[i]!]!;
    const weight = exp(logit - top);
    if (i < size - 2) {
      s0 += weight;
      s1 += logit * weight;
    } else {
      pair0 += weight;
      pair1 += logit * weight;
    }
  }
  return (s1 + pair1) / (s0 + pair0);
}
