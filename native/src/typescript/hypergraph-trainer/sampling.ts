import { type Rows, sourceCounts, sources, type TrainerProblem } from "../../hypergraph-trainer-kernel.ts";
import type { Random } from "./random.ts";
import type { Reals } from "./reals.ts";

/** How often a negative is drawn anew before its place stays empty. */
const tries = 8;

/** Candidate sets of a batch, in places of equal number and room; gold stands in the first place of a query. */
export interface Candidates {
  readonly places: number;
  readonly room: number;
  /** How many members each place has; 0 where it is empty. */
  readonly sizes: Uint8Array;
  /** Ascending within a set. */
  readonly members: Uint32Array;
}

/** Room for the sets of so many queries. */
export function createCandidates(queries: number, places: number, room: number): Candidates {
  return {
    places,
    room,
    sizes: new Uint8Array(queries * places),
    members: new Uint32Array(queries * places * room),
  };
}

/** FNV-1a over the members of a set. */
export function hashOf(members: Uint32Array, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ members[i]!, 0x0100_0193);
  return hash >>> 0;
}

/** Tells whether a set, by its hash, is the gold set of another query with the same vector. */
export type IsIdentical = (query: number, hash: number) => boolean;

/** Groups the queries that are trained on by their vectors. */
export function identicalQueries({ vectors, queryDimensions, gold, training }: TrainerProblem): IsIdentical {
  const compare = (one: number, other: number): number => {
    for (let i = 0; i < queryDimensions; i += 1) {
      const difference = vectors[one * queryDimensions + i]! - vectors[other * queryDimensions + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const sorted = Array.from(training).sort((one, other) => compare(one, other) || one - other);
  const groups = new Map<number, Set<number>>();
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && compare(sorted[from]!, sorted[to]!) === 0) to += 1;
    if (to - from < 2) continue;
    const group = sorted.slice(from, to);
    const hashes = new Set(group.map((query) => hashOf(gold.tools, gold.offsets[query]!, gold.offsets[query + 1]!)));
    for (const query of group) groups.set(query, hashes);
  }
  return (query, hash) => groups.get(query)?.has(hash) ?? false;
}

/** What the sets of a query are drawn from; see `sampling.rs` for the five sources. */
export interface Sampling {
  readonly gold: Rows;
  readonly batch: Uint32Array;
  readonly negatives: readonly number[];
  readonly maxSize: number;
  /** Tools of uniform sets. */
  readonly uniform: Uint32Array;
  /** `nearWidth` near tools of each tool, at its place in `nearPlace`. */
  readonly near: Uint32Array;
  readonly nearWidth: number;
  readonly nearPlace: Uint32Array;
  readonly isIdentical: IsIdentical;
}

/** Fills the places of the query at `position` of the batch; `own` are tools that the model likes best, without gold. */
export function fillPlaces(
  sampling: Sampling,
  position: number,
  own: Uint32Array,
  random: Random,
  candidates: Candidates,
  counts: Float64Array,
): void {
  const { gold, batch, negatives, isIdentical } = sampling;
  const { places, room, sizes, members } = candidates;
  const query = batch[position]!;
  const goldSet = gold.tools.subarray(gold.offsets[query]!, gold.offsets[query + 1]!);
  const first = position * places;
  members.set(goldSet, first * room);
  sizes[first] = goldSet.length;
  const drawn = new Uint32Array(room + 1);
  let place = first + 1;
  for (let source = 0; source < sources.length; source += 1) {
    for (let i = 0; i < negatives[source]!; i += 1, place += 1) {
      let size = 0;
      for (let attempt = 0; attempt < tries && size === 0; attempt += 1) {
        size = draw(sampling, source, position, goldSet, own, random, drawn);
        if (size > 0 && !isNew(drawn.subarray(0, size).sort(), candidates, first, place)) size = 0;
      }
      if (size === 0) {
        counts[source * sourceCounts + 1]! += 1;
        continue;
      }
      const set = drawn.subarray(0, size);
      const at = source * sourceCounts;
      counts[at]! += 1;
      counts[at + 2]! += Number(holds(set, goldSet));
      counts[at + 3]! += Number(holds(goldSet, set));
      counts[at + 4]! += Number(isIdentical(query, hashOf(set, 0, size)));
      members.set(set, place * room);
      sizes[place] = size;
    }
  }
}

/** Draws one set, in any order; 0 where there is none to draw. It may hold a tool twice or be one that there is already. */
function draw(
  { gold, batch, maxSize, uniform, near, nearWidth, nearPlace }: Sampling,
  source: number,
  position: number,
  goldSet: Uint32Array,
  own: Uint32Array,
  random: Random,
  set: Uint32Array,
): number {
  const size = goldSet.length;
  const replacement = (tool: number): number =>
    source === 2 ? near[nearPlace[tool]! * nearWidth + random.below(nearWidth)]! : own[random.below(own.length)]!;
  if (source === 0) {
    if (uniform.length < size) return 0;
    for (let i = 0; i < size; i += 1) set[i] = uniform[random.below(uniform.length)]!;
    return size;
  }
  if (source === 1) {
    if (batch.length < 2) return 0;
    const drawn = random.below(batch.length - 1);
    const other = batch[drawn >= position ? drawn + 1 : drawn]!;
    const [from, to] = [gold.offsets[other]!, gold.offsets[other + 1]!];
    set.set(gold.tools.subarray(from, to));
    return to - from;
  }
  set.set(goldSet);
  if (source < 4) {
    if ((source === 2 ? nearWidth : own.length) === 0) return 0;
    const two = random.coin() && size > 1;
    const first = random.below(size);
    set[first] = replacement(goldSet[first]!);
    if (two) {
      const second = (first + 1 + random.below(size - 1)) % size;
      set[second] = replacement(goldSet[second]!);
    }
    return size;
  }
  const grow = (random.coin() || size === 1) && size < maxSize;
  if (grow && own.length > 0) {
    set[size] = own[random.below(own.length)]!;
    return size + 1;
  }
  if (size === 1) return 0;
  set[random.below(size)] = set[size - 1]!;
  return size - 1;
}

/** Whether a sorted set has distinct tools and stands in none of the places of its query so far. */
function isNew(set: Uint32Array, { room, sizes, members }: Candidates, first: number, end: number): boolean {
  for (let i = 1; i < set.length; i += 1) if (set[i] === set[i - 1]) return false;
  for (let place = first; place < end; place += 1) {
    if (sizes[place] !== set.length) continue;
    let same = true;
    for (let i = 0; i < set.length && same; i += 1) same = members[place * room + i] === set[i];
    if (same) return false;
  }
  return true;
}

function holds(whole: Uint32Array, part: Uint32Array): boolean {
  return part.every((tool) => whole.includes(tool));
}

/** The `count` tools of the largest scores of a row, best first, without `leftOut`; equal scores go to the lower tool. */
export function bestTools(
  scores: Reals,
  start: number,
  tools: number,
  leftOut: Uint32Array,
  count: number,
): Uint32Array {
  const best = new Uint32Array(count);
  let length = 0;
  if (count === 0) return best;
  for (let tool = 0; tool < tools; tool += 1) {
    const score = scores[start + tool]!;
    if (length === count && !(score > scores[start + best[length - 1]!]!)) continue;
    if (leftOut.includes(tool)) continue;
    let place = length < count ? length : count - 1;
    while (place > 0 && score > scores[start + best[place - 1]!]!) {
      best[place] = best[place - 1]!;
      place -= 1;
    }
    best[place] = tool;
    if (length < count) length += 1;
  }
  return best.subarray(0, length);
}
