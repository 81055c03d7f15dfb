import type { HyperedgeOptions } from "@setwise/native";
import type { ScoreSetsOptions } from "./score-sets.ts";
import { maxSizeOf, type SetCandidates } from "./set-candidates.ts";

/** The candidates that are looked at, tools ascending so that ties go to the lower one, and the request about their positions. */
export interface SetPool {
  /** Tools, ascending, length K. */
  readonly ids: Uint32Array;
  /** Length K. */
  readonly logits: Float64Array;
  /** (M − 1) × K × K. */
  readonly pairScores: Float64Array;
  /** The set function's other numbers and the constraints, by position. */
  readonly request: HyperedgeOptions & { readonly maxSize: number };
}

/** The `most` candidates of the largest logits, without those excluded, and the required ones besides. */
export function poolOf(candidates: SetCandidates, options: ScoreSetsOptions, most: number): SetPool {
  const { ids, logits } = candidates;
  const maxSize = maxSizeOf(candidates);
  const excluded = new Set(options.exclude);
  const required = new Set(options.require);
  const ranked = Array.from(ids.keys())
    .filter((place) => !excluded.has(ids[place] ?? 0))
    .sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0));
  const places = ranked
    .filter((place, rank) => rank < most || required.has(ids[place] ?? 0))
    .sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0));
  const positionOf = new Map(places.map((place, position) => [ids[place] ?? 0, position]));
  const positions = (tools: Uint32Array): Uint32Array =>
    Uint32Array.from(
      new Set(Array.from(tools, (tool) => positionOf.get(tool)).filter((position) => position !== undefined)),
    );
  const { require, atMostOne, tokens, maxTokens, maxTools, alignment } = options;
  const { sizeOffsets, emptyScore } = candidates;
  return {
    ids: Uint32Array.from(places, (place) => ids[place] ?? 0),
    logits: Float64Array.from(places, (place) => logits[place] ?? 0),
    pairScores: pairsOf(candidates, places, maxSize),
    request: {
      maxSize,
      ...(alignment === undefined ? {} : { alignment }),
      ...(sizeOffsets === undefined ? {} : { sizeOffsets }),
      ...(emptyScore === undefined ? {} : { emptyScore }),
      ...(require === undefined ? {} : { require: positions(require) }),
      ...(atMostOne === undefined ? {} : { groups: atMostOne.map(positions) }),
      ...(maxTokens === undefined ? {} : { maxTokens, tokens: Uint32Array.from(places, (at) => tokens?.[at] ?? 0) }),
      ...(maxTools === undefined ? {} : { maxTools }),
    },
  };
}

/** The rows and columns of `places` of each pair matrix; zeros where there are none. */
function pairsOf({ ids, pairScores }: SetCandidates, places: readonly number[], maxSize: number): Float64Array {
  const [from, to] = [ids.length, places.length];
  const pairs = new Float64Array((maxSize - 1) * to * to);
  if (pairScores === undefined) return pairs;
  for (let size = 0; size < maxSize - 1; size++) {
    for (let a = 0; a < to; a++) {
      for (let b = 0; b < to; b++) {
        pairs[(size * to + a) * to + b] = pairScores[(size * from + places[a]!) * from + places[b]!]!;
      }
    }
  }
  return pairs;
}
