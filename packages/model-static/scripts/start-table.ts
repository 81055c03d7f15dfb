import { alongAxes } from "./principal-axes.ts";
import type { Table } from "./table.ts";

/** Smooth inverse frequency (Arora et al. 2017): a token of share p of all tokens weighs rarity / (rarity + p). */
const rarity = 1e-3;
/**
 * How long rows are before any fit. A text has the mean of its rows for its vector, and most of its tokens say little, so the
 * one that says something must be several times as long as the teacher's vector of the whole. Tokens that no text has stay so.
 */
const lengthening = 5;

/** Each token as the teacher sees it alone (tokens × the teacher's dimensions), less what all have in common. */
export function startTable(alone: Float32Array, counts: Float64Array, axes: readonly Float64Array[]): Table {
  const tokens = counts.length;
  const size = alone.length / tokens;
  const mean = new Float64Array(size);
  for (const [at, value] of alone.entries()) mean[at % size]! += value / tokens;
  const rows = alongAxes(alone, mean, axes);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const dimensions = axes.length;
  for (let token = 0; token < tokens; token++) {
    const weight = (lengthening * rarity) / (rarity + counts[token]! / all);
    for (let index = 0; index < dimensions; index++) rows[token * dimensions + index]! *= weight;
  }
  return { dimensions, rows };
}
