import type { ToolSet } from "@setwise/core";
import type { SetScores } from "./score-sets.ts";
import { keepsConstraints, scoreOfMembers, setKey } from "./set-score.ts";

/** Sets that score more than tools and pairs say. */
export interface SetGains {
  /** Sets + 1; positions of the pool, ascending in a set. */
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
  /** What each set gains. */
  readonly gains: Float64Array;
}

/** The scores of sets of which some gain, exactly: see `known-sets.ts`. Of the best sets no more are told than were there before. */
export function addGains(scored: SetScores, { offsets, members, gains }: SetGains): SetScores {
  const { problem } = scored;
  const gained = Array.from(gains, (gain, set) => {
    const positions = members.subarray(offsets[set], offsets[set + 1]);
    const isAllowed = keepsConstraints(problem.request, positions);
    return { positions, gain, score: isAllowed ? scoreOfMembers(problem, positions) : Number.NEGATIVE_INFINITY };
  }).filter(({ score, gain }) => score > Number.NEGATIVE_INFINITY && gain !== 0);
  if (gained.length === 0) return scored;
  // Relative to the old Z, and then divided by what it has become.
  const extra = gained.map(({ score, gain }) => Math.exp(score - scored.logZ) * Math.expm1(gain));
  const total = 1 + extra.reduce((sum, value) => sum + value, 0);
  const inclusion = scored.inclusion.slice();
  const sizes = scored.sizes.slice();
  for (const [at, { positions }] of gained.entries()) {
    for (const position of positions) inclusion[position]! += extra[at]!;
    sizes[positions.length]! += extra[at]!;
  }
  for (let i = 0; i < inclusion.length; i++) inclusion[i]! /= total;
  for (let i = 0; i < sizes.length; i++) sizes[i]! /= total;
  const logZ = scored.logZ + Math.log(total);
  return {
    ...scored,
    gains: new Map(gained.map(({ positions, gain }) => [setKey(positions), gain])),
    best: bestOf(scored, gained, logZ),
    inclusion,
    sizes,
    logZ,
    expectedSize: sizes.reduce((sum, probability, size) => sum + size * probability, 0),
    probabilityNothingFits: sizes[0] ?? 0,
  };
}

interface GainedSet {
  readonly positions: Uint32Array;
  readonly score: number;
  readonly gain: number;
}

/** Both lists together, best first. Exact as long as gains are not negative: a set that is in neither scores less than all of the first. */
function bestOf(scored: SetScores, gained: readonly GainedSet[], logZ: number): readonly ToolSet[] {
  const sets = new Map<string, ToolSet>();
  const add = (ids: Uint32Array, score: number): void => {
    sets.set(ids.join(), { ids, score, probability: Math.exp(score - logZ) });
  };
  for (const { ids, score } of scored.best) add(ids, score);
  for (const { positions, score, gain } of gained)
    add(
      positions.map((at) => scored.pool[at]!),
      score + gain,
    );
  return [...sets.values()].sort(better).slice(0, scored.best.length);
}

function better(one: ToolSet, other: ToolSet): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.ids.length !== other.ids.length) return one.ids.length - other.ids.length;
  const place = one.ids.findIndex((id, at) => id !== other.ids[at]);
  return place < 0 ? 0 : one.ids[place]! - other.ids[place]!;
}
