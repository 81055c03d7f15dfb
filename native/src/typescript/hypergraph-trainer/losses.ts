import type { Alignment } from "../../hyperedge-kernel.ts";
import { exp, ln } from "../elementary.ts";
import type { Reals } from "./reals.ts";

/**
 * InfoNCE over a library, the gold tools (`from` to `to` of `gold`) not competing with each other, times `scale`; the logits of the row become its
 * gradient. NaN where it is not finite. Formulas: `match_loss.rs`.
 */
export function matchLoss(
  logits: Reals,
  gold: Uint32Array,
  { start, tools, from, to }: { start: number; tools: number; from: number; to: number },
  scale: number,
): number {
  const goldLogits = Array.from(gold.subarray(from, to), (tool) => logits[start + tool]!);
  for (let i = from; i < to; i += 1) logits[start + gold[i]!] = Number.NEGATIVE_INFINITY;
  const end = start + tools;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let t = start; t < end; t += 1) if (logits[t]! > greatest) greatest = logits[t]!;
  if (greatest === Number.NEGATIVE_INFINITY) {
    logits.fill(0, start, end);
    return to - from === tools && goldLogits.every((l) => Number.isFinite(l)) ? 0 : Number.NaN;
  }
  let sum = 0;
  for (let t = start; t < end; t += 1) {
    const weight = exp(logits[t]! - greatest);
    logits[t] = weight;
    sum += weight;
  }
  if (!Number.isFinite(sum)) return Number.NaN;
  const others = greatest + ln(sum);
  const share = scale / (to - from);
  let [loss, missing] = [0, 0];
  const goldGradients = goldLogits.map((l) => {
    const lead = l - others;
    const small = exp(-Math.abs(lead));
    loss += ln(1 + small) + (lead < 0 ? -lead : 0);
    const lost = (lead < 0 ? 1 : small) / (1 + small);
    missing += lost;
    return -lost * share;
  });
  const factor = (missing * share) / sum;
  for (let t = start; t < end; t += 1) logits[t]! *= factor;
  for (const [place, gradient] of goldGradients.entries()) logits[start + gold[from + place]!] = gradient;
  return loss * share;
}

/** log Σ exp(l) of a row. NaN where it is not finite. */
export function logSum(logits: Reals, start: number, tools: number): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let t = start; t < start + tools; t += 1) if (logits[t]! > greatest) greatest = logits[t]!;
  let sum = 0;
  for (let t = start; t < start + tools; t += 1) sum += exp(logits[t]! - greatest);
  return Number.isFinite(sum) && sum > 0 ? greatest + ln(sum) : Number.NaN;
}

/** The alignment of a set of `size` members from `at` on; `shares` becomes how much each of their logits counts in it. */
export function align(
  alignment: Alignment,
  logits: Reals,
  start: number,
  members: Uint32Array,
  at: number,
  size: number,
  shares: Float64Array,
): number {
  let [sum, greatest] = [0, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < size; i += 1) {
    const l = logits[start + members[at + i]!]!;
    sum += l;
    if (l > greatest) greatest = l;
    shares[i] = 1;
  }
  if (alignment === "sum") return sum;
  let [total, weighted] = [0, 0];
  for (let i = 0; i < size; i += 1) {
    const l = logits[start + members[at + i]!]!;
    const weight = exp(l - greatest);
    total += weight;
    weighted += weight * l;
    shares[i] = weight;
  }
  const mean = weighted / total;
  for (let i = 0; i < size; i += 1) {
    shares[i] = (shares[i]! / total) * (1 + logits[start + members[at + i]!]! - mean);
  }
  return mean;
}

/** What a query's candidates lose. */
export interface CandidateLosses {
  /** −log softmax(F) of the first, gold. */
  readonly retrieval: number;
  /** −log softmax(F) of the one with the largest F. */
  readonly chosen: number;
  /** Where that stands. */
  readonly place: number;
}

/** The losses of `places` candidates from `start` on; `gradients` becomes the gradient of their sum with these two weights. */
export function candidateLosses(
  scores: Float64Array,
  start: number,
  places: number,
  [ofGold, ofChosen]: readonly [number, number],
  gradients: Float64Array,
): CandidateLosses {
  let place = 0;
  for (let other = 0; other < places; other += 1) if (scores[start + other]! > scores[start + place]!) place = other;
  const greatest = scores[start + place]!;
  let sum = 0;
  for (let i = start; i < start + places; i += 1) {
    gradients[i] = exp(scores[i]! - greatest);
    sum += gradients[i]!;
  }
  if (!Number.isFinite(sum) || sum === 0) return { retrieval: Number.NaN, chosen: Number.NaN, place };
  const factor = (ofGold + ofChosen) / sum;
  for (let i = start; i < start + places; i += 1) gradients[i]! *= factor;
  gradients[start]! -= ofGold;
  gradients[start + place]! -= ofChosen;
  const chosen = ln(sum);
  return { retrieval: chosen + (greatest - scores[start]!), chosen, place };
}
