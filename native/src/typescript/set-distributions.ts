import type { SetDistributionRequest } from "../set-distributions.ts";
import { exp, ln } from "./elementary.ts";

/*
 * Everything of size m is carried as a share of the product of the m largest weights, so that nothing overflows or vanishes however far
 * the logits lie apart; no difference is taken, so nothing cancels. With l_(i) the logits in order:
 *   a_m(i) = a_m(i−1) + exp(l_(i) − l_(m)) · a_{m−1}(i−1)
 *   b_mk(i−1) = b_mk(i) + exp(l_(i) − l_(m−k+1)) · b_m,k−1(i)
 *   P(t ∈ E, |E| = m) = P(|E| = m) / a_m(n) · Σ_j a_j(i−1) · exp(l_(i) − l_(j+1)) · b_m,m−1−j(i),  t the i-th
 * The same in the same order as crates/kernels/src/set_distribution.rs.
 */

/** What is known of one query while its columns are filled. */
interface Problem {
  readonly logits: Float64Array;
  readonly offsets: Float64Array;
  readonly count: number;
  readonly width: number;
  /** Positions, largest logit first. */
  readonly order: readonly number[];
  /** exp(l_(i) − l_(q)) at i · M + q, both from 0; 0 for i < q. */
  readonly steps: Float64Array;
  /** a_m(i) at i · (M + 1) + m. */
  readonly before: Float64Array;
}

/** Columns of one query. */
interface Columns {
  readonly sizes: Float64Array;
  readonly inclusion: Float64Array;
  readonly inclusionBySize: Float64Array;
}

/** Fills the columns: sizes, inclusion, inclusion by size, log Z, each of all queries. */
export function distributeInTypescript(
  { logits, sizeOffsets, pool, width, queries }: SetDistributionRequest,
  columns: Float64Array,
): void {
  const inclusionAt = queries * width;
  const bySizeAt = inclusionAt + queries * pool;
  const logZAt = bySizeAt + queries * pool * width;
  const part = (at: number, length: number, query: number): Float64Array =>
    columns.subarray(at + query * length, at + (query + 1) * length);
  for (let query = 0; query < queries; query++) {
    const problem = prepare(
      logits.subarray(query * pool, (query + 1) * pool),
      sizeOffsets.subarray(query * width, (query + 1) * width),
    );
    columns[logZAt + query] = distribute(problem, {
      sizes: part(0, width, query),
      inclusion: part(inclusionAt, pool, query),
      inclusionBySize: part(bySizeAt, pool * width, query),
    });
  }
}

function prepare(logits: Float64Array, offsets: Float64Array): Problem {
  const [count, width] = [logits.length, offsets.length];
  const most = width - 1;
  const order = Array.from(logits.keys()).sort((left, right) => logits[right]! - logits[left]! || left - right);
  const steps = new Float64Array(count * most);
  for (let i = 0; i < count; i++) {
    for (let q = 0; q < Math.min(most, i + 1); q++) steps[i * most + q] = exp(logits[order[i]!]! - logits[order[q]!]!);
  }
  const before = new Float64Array((count + 1) * width);
  before[0] = 1;
  for (let i = 0; i < count; i++) {
    const row = i * width;
    before[row + width] = before[row]!;
    for (let m = 1; m < width; m++)
      before[row + width + m] = before[row + m]! + steps[i * most + m - 1]! * before[row + m - 1]!;
  }
  return { logits, offsets, count, width, order, steps, before };
}

function distribute(problem: Problem, { sizes, inclusion, inclusionBySize }: Columns): number {
  const { logits, offsets, count, width, order, before } = problem;
  let sum = 0;
  let highest = -Infinity;
  for (let m = 0; m < width; m++) {
    if (m > 0 && m <= count) sum += logits[order[m - 1]!]!;
    const term = ln(before[count * width + m]!) + (sum + offsets[m]!);
    sizes[m] = term;
    if (term > highest) highest = term;
  }
  if (highest === -Infinity) {
    sizes.fill(0);
    sizes[0] = 1;
    return highest;
  }
  let total = 0;
  for (const term of sizes) total += exp(term - highest);
  const logZ = highest + ln(total);
  for (let m = 0; m < width; m++) sizes[m] = exp(sizes[m]! - logZ);
  for (let m = 1; m < Math.min(width, count + 1); m++) {
    if (sizes[m]! > 0) addInclusion(problem, m, sizes[m]!, inclusion, inclusionBySize);
  }
  return logZ;
}

function addInclusion(
  problem: Problem,
  m: number,
  size: number,
  inclusion: Float64Array,
  inclusionBySize: Float64Array,
): void {
  const { count, width, order, steps, before } = problem;
  const most = width - 1;
  const behind = behindOf(problem, m);
  const scale = size / before[count * width + m]!;
  for (const [i, tool] of order.entries()) {
    let sum = 0;
    for (let j = 0; j < m; j++) {
      const taken = before[i * width + j]! * steps[i * most + j]!;
      sum += taken * behind[(i + 1) * width + m - 1 - j]!;
    }
    const joint = scale * sum;
    inclusionBySize[tool * width + m] = joint;
    inclusion[tool]! += joint;
  }
}

/** b_mk(i) at i · (M + 1) + k. */
function behindOf({ count, width, steps }: Problem, m: number): Float64Array {
  const most = width - 1;
  const behind = new Float64Array((count + 1) * width);
  behind[count * width] = 1;
  for (let i = count - 1; i >= 0; i--) {
    const row = i * width;
    behind[row] = behind[row + width]!;
    for (let k = 1; k <= m; k++)
      behind[row + k] = behind[row + width + k]! + steps[i * most + m - k]! * behind[row + width + k - 1]!;
  }
  return behind;
}
