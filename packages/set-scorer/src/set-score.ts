import type { SetPool } from "./set-pool.ts";

/** F of some positions of a pool, without known sets; −Infinity for a set that is too large. */
export function scoreOfMembers({ logits, pairScores, request, ids }: SetPool, members: ArrayLike<number>): number {
  const { maxSize, sizeOffsets, alignment, emptyScore, maxTools = maxSize } = request;
  const size = members.length;
  if (size > Math.min(maxSize, maxTools)) return Number.NEGATIVE_INFINITY;
  if (size === 0) return emptyScore ?? Number.NEGATIVE_INFINITY;
  let score = (sizeOffsets?.[size - 1] ?? 0) + aligned(members, logits, alignment === "softmax");
  const start = (size - 2) * ids.length ** 2;
  for (let a = 1; a < size; a++) {
    for (let b = 0; b < a; b++) score += pairScores[start + members[a]! * ids.length + members[b]!]!;
  }
  return score;
}

function aligned(members: ArrayLike<number>, logits: Float64Array, isSoftmax: boolean): number {
  let sum = 0;
  if (!isSoftmax) {
    for (let i = 0; i < members.length; i++) sum += logits[members[i]!]!;
    return sum;
  }
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < members.length; i++) largest = Math.max(largest, logits[members[i]!]!);
  let weights = 0;
  for (let i = 0; i < members.length; i++) {
    const weight = Math.exp(logits[members[i]!]! - largest);
    weights += weight;
    sum += weight * logits[members[i]!]!;
  }
  return sum / weights;
}

/** Whether some positions of a pool may be a set. */
export function keepsConstraints(request: SetPool["request"], members: ArrayLike<number>): boolean {
  const { require, exclude, groups, tokens, maxTokens } = request;
  const inside = Array.from(members);
  if (require?.some((position) => !inside.includes(position))) return false;
  if (exclude?.some((position) => inside.includes(position))) return false;
  if (groups?.some((group) => inside.filter((member) => group.includes(member)).length > 1)) return false;
  if (maxTokens === undefined || tokens === undefined) return true;
  return inside.reduce((sum, member) => sum + tokens[member]!, 0) <= maxTokens;
}

/** Whether every set that is not too large may be one. */
export function hasNoConstraints({ require, exclude, groups, maxTokens }: SetPool["request"]): boolean {
  const areNone = [require, exclude, groups].every((list) => list === undefined || list.length === 0);
  return areNone && maxTokens === undefined;
}

/** Names a set of positions, in whichever order. */
export function setKey(members: Iterable<number>): string {
  return [...members].sort((a, b) => a - b).join();
}
