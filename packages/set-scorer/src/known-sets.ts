/*
 * Sets that were logged before, as a term of third and higher order that pairs cannot express: F(E) gains k · ln(1 + n_E) where E was logged n_E times. The
 * enumeration knows nothing of it; since the term is 0 but for a few sets of the pool, what it changes is added up afterwards and exactly:
 * Z' = Z + Σ_E e^F(E) (e^gain − 1), and so for inclusion and sizes.
 */

/** Larger sets are not enumerated. */
const LARGEST_SET = 8;

/** Logged sets of two tools or more, tools ascending, one behind the other, and ln(1 + n) of each. */
export interface KnownSets {
  /** Sets + 1. */
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
  readonly values: Float32Array;
}

/** Which known sets a pool holds. */
export interface KnownSetFinder {
  /** Those whose tools are all in `tools` (ascending), by number. */
  within(tools: Uint32Array): number[];
  readonly sets: KnownSets;
}

/** A model that knows no sets. */
export const noKnownSets: KnownSets = {
  offsets: new Uint32Array(1),
  members: new Uint32Array(0),
  values: new Float32Array(0),
};

/** Counts the sets, in the order in which they came first. */
export function countKnownSets(sets: readonly Uint32Array[]): KnownSets {
  const counts = new Map<string, { readonly set: Uint32Array; count: number }>();
  for (const set of sets) {
    if (set.length < 2 || set.length > LARGEST_SET) continue;
    const key = set.join();
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { set, count: 1 });
    else known.count++;
  }
  const all = [...counts.values()];
  const offsets = new Uint32Array(all.length + 1);
  for (const [place, { set }] of all.entries()) offsets[place + 1] = offsets[place]! + set.length;
  return {
    offsets,
    members: Uint32Array.from(all.flatMap(({ set }) => [...set])),
    values: Float32Array.from(all, ({ count }) => Math.log1p(count)),
  };
}

/** Finds known sets by their first tool. */
export function knownSetFinder(sets: KnownSets): KnownSetFinder {
  const { offsets, members } = sets;
  const byFirst = new Map<number, number[]>();
  for (let set = 0; set + 1 < offsets.length; set++) {
    const first = members[offsets[set]!]!;
    const list = byFirst.get(first);
    if (list === undefined) byFirst.set(first, [set]);
    else list.push(set);
  }
  return {
    sets,
    within(tools) {
      const inside = new Set(tools);
      const found: number[] = [];
      for (const tool of tools) {
        for (const set of byFirst.get(tool) ?? []) {
          if (members.subarray(offsets[set], offsets[set + 1]).every((member) => inside.has(member))) found.push(set);
        }
      }
      return found;
    },
  };
}
