import {
  checkCount,
  checkDimensions,
  checkFinite,
  checkLength,
  checkOneOf,
  checkThreads,
  checkTyped,
  checkVectors,
  outOfRange,
} from "./check-arguments.ts";
import {
  matricesOf,
  type SetLists,
  type TrainerPlan,
  type TrainerProblem,
  type TrainerWeights,
} from "./hypergraph-trainer-kernel.ts";
import { type MatchStageOptions, planMatch, planSets, type SetStageOptions } from "./hypergraph-trainer-options.ts";
import { startingInteractions, startOf, unitRows } from "./hypergraph-trainer-start.ts";
import type { Kernels } from "./kernels.ts";
import { checkOptions } from "./read-options.ts";
import { type CheckedQueries, checkQueries, type TrainingQueries } from "./training-queries.ts";

/** The paper's M. */
const defaultMaxSize = 5;
const mostSizes = 8;
/** l = 20 · cosine to begin with: the softmax over a library is then neither flat nor decided. */
const defaultScale = 20;
/**
 * Of `scale`: what a lexical share from 0 to 1 is worth to begin with. Training moves it little, so what it begins with decides: with 2,600 queries over
 * 512 tools, recall at 5 of held-out queries was 94.5 from 3, 94.1 from 6, 92.0 from 15, and 94.0 without the feature.
 */
const defaultFeatureShare = 0.15;
const defaultSeed = 1;
/** One thread, so that nothing is started that was not asked for. */
const defaultThreads = 1;
/** AdamW's own. */
const moments = [0.9, 0.999, 1e-8] as const;
/** Draws of a random number below a bound are exact up to there. */
const mostTools = 2 ** 20;
/** The weights of a model, as {@link HypergraphModel.fromWeights} takes them. */
export interface HypergraphTrainerWeights {
  /** d_z. */
  readonly toolDimensions: number;
  /** P, d_r × d_z, row by row. */
  readonly projection: Float32Array;
  /** Z, N × d_z, rows of length 1. */
  readonly embeddings: Float32Array;
  /** M_2 … M_M, (M − 1) × d_z × d_z, each symmetric: the same for all sizes with `shared`, zeros with `none`. */
  readonly interactions: Float32Array;
  /** c_1 … c_M. */
  readonly sizeOffsets: Float64Array;
  /** w of each feature. */
  readonly featureWeights: Readonly<Record<string, number>>;
}

/**
 * What is trained, on what, and how. N tools, n queries. The arrays must stay as they are while the trainer lives: not every implementation copies
 * them, and checkpoints are told from others by them.
 */
export interface HypergraphTrainerOptions {
  /** d_r, numbers in a query and in a tool's vector. */
  readonly queryDimensions: number;
  /** d_z, at most d_r; fewer are the leading directions of the tools. Default: d_r. */
  readonly toolDimensions?: number;
  /** N × d_r: the vectors of the tools' texts. */
  readonly toolVectors: Float32Array;
  readonly queries: TrainingQueries;
  /** Queries that are not trained on. */
  readonly development?: Uint32Array;
  /** M, the largest set that is scored, 1 to 8. Default: 5. */
  readonly maxSize?: number;
  /** A matrix for each size from 2 on, one for all, or none. Default: `by-size`. */
  readonly interactions?: "by-size" | "shared" | "none";
  /** s: to begin with, a logit is s times the cosine. Default: 20. */
  readonly scale?: number;
  /** Weights to go on from, for any that are given. */
  readonly weights?: Partial<Omit<HypergraphTrainerWeights, "toolDimensions">>;
  readonly match?: MatchStageOptions;
  readonly sets?: SetStageOptions;
  /** Where all random numbers come from, an integer of 32 bits. Default: 1. */
  readonly seed?: number;
  /** Threads, the calling one among them, 1 to 64; they change no bit. Default: 1. */
  readonly threads?: number;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/** Sets of the caller: those of query i are the sets `queries[i]` to `queries[i + 1] − 1`, the first of them gold where it matters. */
export type CandidateSets = SetLists;

/** What a kernel is made of. */
export interface TrainerRequest {
  readonly problem: TrainerProblem;
  readonly plan: TrainerPlan;
  /** Of the features. */
  readonly names: readonly string[];
  readonly weights: TrainerWeights;
}

/** Checks all options of a trainer. */
export function readTrainer(options: HypergraphTrainerOptions): TrainerRequest {
  const { queryDimensions, toolDimensions = queryDimensions, toolVectors } = checkOptions("options", options);
  const { queries, development = new Uint32Array(0), scale = defaultScale, weights = {} } = options;
  checkDimensions(queryDimensions);
  checkCount("toolDimensions", toolDimensions, { least: 1, most: queryDimensions });
  const vectors = checkVectors("toolVectors", toolVectors, queryDimensions);
  const tools = vectors.length / queryDimensions;
  checkCount("tools", tools, { least: 1, most: mostTools });
  checkFinite("toolVectors", vectors);
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) throw outOfRange("scale", "a finite number above 0", scale);
  const checked = checkQueries(queries, { queryDimensions, tools });
  const training = withoutQueries(checked.queries, checkTyped("development", development, "Uint32Array"));
  const plan = planOf(options, training.length);
  const start = startOf(vectors, queryDimensions, toolDimensions, scale);
  const problem = {
    queryDimensions,
    toolDimensions,
    tools,
    queries: checked.queries,
    anchors: start.anchors,
    vectors: checked.vectors,
    gold: checked.gold,
    channels: checked.channels,
    queryWeights: checked.weights,
    training,
  };
  const begun = startingWeights(problem, plan, checked, { projection: start.projection, scale, weights });
  return { problem, plan, names: checked.names, weights: begun };
}

function planOf(options: HypergraphTrainerOptions, queries: number): TrainerPlan {
  const { maxSize = defaultMaxSize, interactions = "by-size", seed = defaultSeed, threads = defaultThreads } = options;
  checkCount("maxSize", maxSize, { least: 1, most: mostSizes });
  checkOneOf("interactions", interactions, ["by-size", "shared", "none"]);
  checkCount("seed", seed, { least: 0, most: 2 ** 32 - 1 });
  checkThreads(threads);
  const { stage: sets, ...candidates } = planSets(options.sets, queries);
  const matching = planMatch(options.match, queries);
  return { seed, threads, maxSize, interactions, moments, matching, sets, ...candidates };
}

/** All queries but these. */
function withoutQueries(count: number, left: Uint32Array): Uint32Array {
  const out = new Uint8Array(count);
  for (const query of left) {
    if (query >= count) throw outOfRange("development", `numbers below ${count}, the queries`, query);
    out[query] = 1;
  }
  return Uint32Array.from(new Uint32Array(count).keys()).filter((query) => out[query] === 0);
}

interface Start {
  readonly projection: Float32Array;
  readonly scale: number;
  readonly weights: Partial<Omit<HypergraphTrainerWeights, "toolDimensions">>;
}

function startingWeights(
  problem: TrainerProblem,
  plan: TrainerPlan,
  { names, channelWeights }: CheckedQueries,
  { projection, scale, weights }: Start,
): TrainerWeights {
  const given = checkOptions("weights", weights);
  const { toolDimensions, anchors } = problem;
  const square = toolDimensions * toolDimensions;
  const matrices = matricesOf(plan) * square;
  const taken = (name: "projection" | "embeddings" | "interactions", expected: number): Float32Array | undefined => {
    const values = given[name];
    if (values === undefined) return undefined;
    const checked = checkTyped(`weights.${name}`, values, "Float32Array");
    checkLength(`weights.${name}`, checked, expected, "as weights() gives it");
    checkFinite(`weights.${name}`, checked);
    return checked;
  };
  const small = new Float64Array(plan.maxSize + names.length);
  if (given.sizeOffsets !== undefined) {
    const offsets = checkTyped("weights.sizeOffsets", given.sizeOffsets, "Float64Array");
    checkLength("weights.sizeOffsets", offsets, plan.maxSize, "one a size");
    small.set(offsets);
  }
  for (const [place, name] of names.entries()) {
    small[plan.maxSize + place] = given.featureWeights?.[name] ?? channelWeights[place] ?? defaultFeatureShare * scale;
  }
  for (const value of small) {
    if (!Number.isFinite(value)) throw outOfRange("weights", "finite offsets and weights", value);
  }
  const embeddings = taken("embeddings", anchors.length);
  return {
    projection: taken("projection", projection.length) ?? projection,
    embeddings: embeddings === undefined ? anchors : unitRows(embeddings, toolDimensions),
    interactions:
      taken("interactions", (plan.maxSize - 1) * square)?.slice(0, matrices) ??
      startingInteractions(plan, toolDimensions),
    small,
  };
}

/** Checks the columns of the caller's sets; the kernel looks at what they hold. */
export function checkSets(sets: CandidateSets, queries: number, gold: boolean): SetLists {
  const given = checkOptions("sets", sets);
  const lists = {
    queries: checkTyped("sets.queries", given.queries, "Uint32Array"),
    offsets: checkTyped("sets.offsets", given.offsets, "Uint32Array"),
    members: checkTyped("sets.members", given.members, "Uint32Array"),
  };
  checkLength("sets.queries", lists.queries, queries + 1, "one a query, and the end");
  if (lists.offsets.length === 0) throw outOfRange("sets.offsets", "one a set, and the end", "none");
  if (!gold) return lists;
  for (let query = 0; query < queries; query += 1) {
    if (lists.queries[query]! < lists.queries[query + 1]!) continue;
    throw outOfRange("sets.queries", "a gold set for each query", `none for query ${query}`);
  }
  return lists;
}
