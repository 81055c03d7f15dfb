import { largestSet } from "../../hyperedge-request.ts";
import type { Problem } from "./problem.ts";

/**
 * More than all roundings of a bound and of a score together: both are sums of at most `2·M²` numbers no larger than these, with a
 * relative error of 2⁻⁵³ at each step.
 */
export function marginOf(problem: Problem): number {
  const { logits, pairs, offsets, count, largest } = problem;
  const terms = 2 * largestSet * largestSet;
  const values = largestOf(logits, count) + largestOf(pairs, Math.max(0, largest - 1) * count * count);
  return (terms * values + largestOf(offsets, largest)) * terms * Number.EPSILON;
}

function largestOf(values: Float64Array, length: number): number {
  let most = 0;
  for (let i = 0; i < length; i += 1) {
    const value = Math.abs(values[i]!);
    if (value > most && value !== Number.POSITIVE_INFINITY) most = value;
  }
  return most;
}
