/*
 * Co-use of two tools by statistics, without a gradient: for a and b that were in one logged set,
 * u(a, b) = ln((n_ab + κ) / (e_ab + κ)), e_ab = n_a n_b / n, cut below 0.
 *
 * n_ab counts sets with both, n_a with a; κ shrinks what was seen seldom. A pair that was never seen has 0.
 */

/** κ, in sets: a pair that was seen once is not yet a rule. */
const SHRINKAGE = 1;
/** Larger sets are dumps of a session, not sets that belong together. */
const LARGEST_SET = 8;

/** Pairs (a < b) one after the other, ascending, and u of each. */
export interface CoUse {
  readonly pairs: Uint32Array;
  readonly values: Float32Array;
}

/** Of a model that knows no pairs. */
export const noCoUse: CoUse = { pairs: new Uint32Array(0), values: new Float32Array(0) };

/** Counts the pairs of `sets` (tools ascending, distinct). */
export function countCoUse(sets: readonly Uint32Array[], tools: number): CoUse {
  const alone = new Float64Array(tools);
  const together = new Map<number, number>();
  let count = 0;
  for (const set of sets) {
    if (set.length > LARGEST_SET) continue;
    count++;
    for (let b = 0; b < set.length; b++) {
      alone[set[b]!]!++;
      for (let a = 0; a < b; a++) {
        const key = set[a]! * tools + set[b]!;
        together.set(key, (together.get(key) ?? 0) + 1);
      }
    }
  }
  const keys = [...together.keys()].sort((one, other) => one - other);
  const value = (key: number): number => {
    const expected = (alone[Math.floor(key / tools)]! * alone[key % tools]!) / count;
    return Math.max(0, Math.log(((together.get(key) ?? 0) + SHRINKAGE) / (expected + SHRINKAGE)));
  };
  return {
    pairs: Uint32Array.from(keys.flatMap((key) => [Math.floor(key / tools), key % tools])),
    values: Float32Array.from(keys, value),
  };
}

/** u of two tools, whichever comes first; 0 where they were never together. */
export function coUseTable({ pairs, values }: CoUse): (one: number, other: number) => number {
  const table = new Map<number, number>();
  for (let i = 0; i < values.length; i++) table.set(pairs[2 * i]! * LARGEST_LIBRARY + pairs[2 * i + 1]!, values[i]!);
  return (one, other) => table.get(Math.min(one, other) * LARGEST_LIBRARY + Math.max(one, other)) ?? 0;
}

const LARGEST_LIBRARY = 2 ** 24;
