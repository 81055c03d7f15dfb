import { type ScoredSets, SetwiseError, type ToolSet } from "@setwise/core";
import { type Alignment, enumerateHyperedges } from "@setwise/native";
import { checkScoreSets } from "./check-score-sets.ts";
import type { SetCandidates } from "./set-candidates.ts";
import { poolOf, type SetPool } from "./set-pool.ts";

/*
 * P(E | x) = e^(F(E) − log Z) over the sets E of at most M tools of the pool, the empty one included where it has a score:
 * F(E) = Σ_{t∈E} l_t + Σ_{a<b∈E} G_|E|[a, b] + c_|E|, or with the alignment of HYSET (equations 2 and 3) Σ softmax(l)·l in place of Σ l.
 */

/** Largest pool that is enumerated: 21,699 sets of at most five (HYSET's K_pool). */
const DEFAULT_POOL = 20;
/** The best set, and enough runners-up to say what else it could have been. */
const DEFAULT_COUNT = 5;
export interface ScoreSetsOptions {
  /** `sum` (default), a distribution that trains well; `softmax`, exact to the paper. */
  readonly alignment?: Alignment;
  /** How many of the best sets (5). */
  readonly count?: number;
  /** At most so many candidates, those of the largest logits and the required ones, are looked at (20). */
  readonly pool?: number;
  /** Tools that every set holds; candidates. */
  readonly require?: Uint32Array;
  /** Tools that no set holds. */
  readonly exclude?: Uint32Array;
  /** Groups of tools, at most one of each in a set. */
  readonly atMostOne?: readonly Uint32Array[];
  /** What each candidate costs, length n; with `maxTokens`. */
  readonly tokens?: Uint32Array;
  /** What a set may cost in all. */
  readonly maxTokens?: number;
  /** Largest set. */
  readonly maxTools?: number;
}

/** What is known of the sets of one pool. */
export interface SetScores extends ScoredSets {
  /** P(|E| = m | x), m = 0 … M. */
  readonly sizes: Float64Array;
  /** Σ m · P(|E| = m | x). */
  readonly expectedSize: number;
  /** P(∅ | x). */
  readonly probabilityNothingFits: number;
  /** The problem that was solved: for rankings and explanations. */
  readonly problem: SetPool;
  /** What some sets gain besides, by {@link setKey} of their positions in the pool. */
  readonly gains?: ReadonlyMap<string, number>;
}

/**
 * The best sets of the candidates with their probabilities, each tool's probability, the sizes' and that nothing fits: exact, from one
 * enumeration of all sets of at most M tools of the pool that keep the constraints. Constraints that cannot be kept together leave no set:
 * `best` is empty then, and all probabilities are 0.
 *
 * @throws SetwiseError `invalid-argument` for columns or options that do not fit together, `impossible-constraints` for a tool both
 * required and excluded, `too-large` for pools of more than 1e10 sets.
 */
export function scoreSets(candidates: SetCandidates, options: ScoreSetsOptions = {}): SetScores {
  checkScoreSets(candidates, options);
  const pool = poolOf(candidates, options, options.pool ?? DEFAULT_POOL);
  const { count = DEFAULT_COUNT } = options;
  const found = enumerateHyperedges(pool.logits, pool.pairScores, { ...pool.request, count, distribution: true });
  const { distribution } = found;
  if (distribution === undefined) {
    throw new SetwiseError("internal", "No distribution came with the sets.");
  }
  const isPossible = Number.isFinite(distribution.logPartition);
  const share = (values: Float64Array): Float64Array => values.map((value) => (isPossible ? value : 0));
  const sizes = share(distribution.sizes);
  const best = Array.from({ length: found.count }, (_, place): ToolSet => {
    const members = found.members.subarray(found.offsets[place], found.offsets[place + 1]);
    const score = found.scores[place] ?? 0;
    return {
      ids: members.map((position) => pool.ids[position] ?? 0),
      score,
      probability: Math.exp(score - distribution.logPartition),
    };
  });
  return {
    pool: pool.ids,
    best,
    inclusion: share(distribution.inclusion),
    logZ: distribution.logPartition,
    sizes,
    expectedSize: sizes.reduce((sum, probability, size) => sum + size * probability, 0),
    probabilityNothingFits: sizes[0] ?? 0,
    problem: pool,
  };
}
