import { allocateAnswer } from "./answer-columns.ts";
import {
  checkCount,
  checkDimensions,
  checkFinite,
  checkLength,
  checkOneOf,
  checkPositions,
  checkThreads,
  checkTyped,
  checkVectors,
  outOfRange,
  wrongType,
} from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import { fingerprintOf, readCheckpoint, writeCheckpoint } from "./hypergraph-trainer-checkpoint.ts";
import {
  type HypergraphTrainerKernel,
  matricesOf,
  reportLength,
  type SetLists,
  type StageNumber,
  stepPlaces,
  type TrainerPlan,
  type TrainerProblem,
  type TrainerWeights,
} from "./hypergraph-trainer-kernel.ts";
import { type MatchStageOptions, planMatch, planSets, type SetStageOptions } from "./hypergraph-trainer-options.ts";
import { startingInteractions, startOf, unitRows, weightsLike } from "./hypergraph-trainer-start.ts";
import type { Kernels } from "./kernels.ts";
import { createNativeHypergraphTrainer } from "./native/hypergraph-trainer.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { type CheckedQueries, checkQueries, type TrainingQueries } from "./training-queries.ts";
import { isDone, readReport, type TrainingEpoch } from "./training-epoch.ts";
import { createTypescriptHypergraphTrainer } from "./typescript/hypergraph-trainer/trainer.ts";

/** The paper's M. */
const defaultMaxSize = 5;
const mostSizes = 8;
/** l = 20 · cosine to begin with: the softmax over a library is then neither flat nor decided. */
const defaultScale = 20;
/** Of `scale`: what a lexical share from 0 to 1 is worth to begin with. */
const defaultFeatureShare = 0.75;
const defaultSeed = 1;
/** One thread, so that nothing is started that was not asked for. */
const defaultThreads = 1;
/** AdamW's own. */
const moments = [0.9, 0.999, 1e-8] as const;
/** Draws of a random number below a bound are exact up to there. */
const mostTools = 2 ** 20;
/** Batches between two turns of the event loop: some milliseconds each. */
const batchesOfTurn = 2;
const mostQueries = 2 ** 31;

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

/** How an epoch is run while the event loop goes on. */
export interface TrainingRunOptions {
  /** Called between batches, with the epoch so far. */
  readonly onProgress?: (epoch: TrainingEpoch) => void;
  /** Stops between batches; the epoch can go on afterwards. */
  readonly signal?: AbortSignal;
}

/** Sets of the caller: those of query i are the sets `queries[i]` to `queries[i + 1] − 1`, the first of them gold where it matters. */
export type CandidateSets = SetLists;

/** What one step over the caller's sets found. */
export interface SetStepResult {
  /** What was trained on, with regulariser and anchor: a mean over queries or a sum, as `reduction` says. */
  readonly loss: number;
  /** Σ −log softmax(F) of gold, L_ret (HYSET, equation 8). */
  readonly retrieval: number;
  /** Σ ρ (−log softmax(F) of the chosen), L_self (equation 9). */
  readonly selfTraining: number;
  /** λ Σ|M|². */
  readonly regulariser: number;
  /** μ|Z − z_text|². */
  readonly anchor: number;
  /** Which candidate of each query scores best (equation 7). */
  readonly chosen: Uint32Array;
  /** Why there was no step: a number was NaN or infinite. The weights are as they were. */
  readonly stopped?: "not-finite";
}

/**
 * Trains the set model of a library from queries and the sets of tools that answered them, in two stages. {@link HypergraphTrainer.matchEpoch} learns
 * which tools a query calls for: P, Z and the weights of features by InfoNCE over the whole library, a gold tool not competing with the others of its
 * set, with Z held near the vectors of the texts. {@link HypergraphTrainer.setEpoch} then learns which go together and how many:
 * `F(E) = Σ log softmax(l)_t + Σ_{a<b} z_a · M_m z_b + c_m` for m = |E| (HYSET, equation 2, with a sum in place of its attention, which
 * `sets: hysetSetStage` brings back), by softmax over gold and drawn negatives.
 *
 * One seed gives the same bits whatever the threads and the SIMD level; the TypeScript kernels draw the same and follow to some parts in 10^4.
 *
 * Call {@link HypergraphTrainer.dispose} when it is no longer needed.
 */
export class HypergraphTrainer {
  readonly queryDimensions: number;
  readonly toolDimensions: number;
  /** N. */
  readonly tools: number;
  /** n. */
  readonly queries: number;
  /** M. */
  readonly maxSize: number;
  readonly #problem: TrainerProblem;
  readonly #plan: TrainerPlan;
  readonly #names: readonly string[];
  readonly #shape: TrainerWeights;
  /** Epochs done of each stage. */
  readonly #epochs: [number, number] = [0, 0];
  #kernel: HypergraphTrainerKernel | undefined;
  #running = false;

  /**
   * @throws {KernelError} `invalid-argument` when an option has the wrong type, length or range, or a number is NaN or infinite.
   */
  constructor(options: HypergraphTrainerOptions) {
    const { queryDimensions, toolDimensions = queryDimensions, toolVectors } = checkOptions("options", options);
    const { queries, development = new Uint32Array(0), scale = defaultScale, weights = {}, kernels } = options;
    const { addon, simd } = givenKernels(kernels);
    checkDimensions(queryDimensions);
    checkCount("toolDimensions", toolDimensions, { least: 1, most: queryDimensions });
    const vectors = checkVectors("toolVectors", toolVectors, queryDimensions);
    const tools = vectors.length / queryDimensions;
    checkCount("tools", tools, { least: 1, most: mostTools });
    checkFinite("toolVectors", vectors);
    if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) throw outOfRange("scale", "a finite number above 0", scale);
    const checked = checkQueries(queries, { queryDimensions, tools });
    const training = withoutPositions(checked.queries, checkPositions("development", development, checked.queries));
    this.#plan = planOf(options, training.length);
    const start = startOf(vectors, queryDimensions, toolDimensions, scale);
    this.#names = checked.names;
    this.#problem = {
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
    this.#shape = startingWeights(this.#problem, this.#plan, checked, { projection: start.projection, scale, weights });
    this.queryDimensions = queryDimensions;
    this.toolDimensions = toolDimensions;
    this.tools = tools;
    this.queries = checked.queries;
    this.maxSize = this.#plan.maxSize;
    this.#kernel =
      addon === undefined
        ? createTypescriptHypergraphTrainer(this.#problem, this.#plan, this.#shape, Float32Array)
        : createNativeHypergraphTrainer(addon, simd, this.#problem, this.#plan, this.#shape);
  }

  /**
   * One epoch of the match, or the rest of one that was stopped. To match again after sets begins the stage anew, from the weights there are.
   *
   * @throws {KernelError} `invalid-argument` when all planned epochs are done, an epoch is running, or the trainer was disposed.
   */
  matchEpoch(): TrainingEpoch {
    return this.#epoch(1);
  }

  /** One epoch of the sets, or the rest of one that was stopped; otherwise as {@link HypergraphTrainer.matchEpoch}. */
  setEpoch(): TrainingEpoch {
    return this.#epoch(2);
  }

  /**
   * {@link HypergraphTrainer.matchEpoch} on another thread (with TypeScript kernels in turns with the event loop), two batches at a time: between
   * them `onProgress` is called and `signal` is looked at. Nothing else can be asked of the trainer meanwhile.
   *
   * @throws The reason of the signal, when it stopped the epoch.
   */
  async matchEpochAsync(options: TrainingRunOptions = {}): Promise<TrainingEpoch> {
    return this.#epochLater(1, options);
  }

  /** {@link HypergraphTrainer.setEpoch} in the same way. */
  async setEpochAsync(options: TrainingRunOptions = {}): Promise<TrainingEpoch> {
    return this.#epochLater(2, options);
  }

  /**
   * One step of the stage of sets over sets of the caller's, at `rateFactor` (default: 1) of its learning rates; it belongs to no epoch, and the
   * schedule stays where it is. The first set of each query is gold.
   *
   * @throws {KernelError} `invalid-argument` when an argument has the wrong type, length or range, or the trainer is running or was disposed.
   */
  setStep(queries: Uint32Array, sets: CandidateSets, options: { readonly rateFactor?: number } = {}): SetStepResult {
    const { rateFactor = 1 } = checkOptions("options", options);
    const kernel = this.#open();
    const asked = this.#checkAsked(queries);
    const lists = checkSets(sets, asked.length, true);
    if (!(rateFactor >= 0 && rateFactor < Number.POSITIVE_INFINITY)) {
      throw outOfRange("rateFactor", "a finite number of 0 or more", rateFactor);
    }
    const chosen = new Uint32Array(asked.length);
    const results = new Float64Array(Object.keys(stepPlaces).length);
    this.#epochs[0] = 0;
    kernel.setStep(asked, lists, rateFactor, chosen, results);
    const at = (name: keyof typeof stepPlaces): number => results[stepPlaces[name]]!;
    return {
      loss: at("loss"),
      retrieval: at("retrieval"),
      selfTraining: at("selfTraining"),
      regulariser: at("regulariser"),
      anchor: at("anchor"),
      chosen,
      ...(at("finite") === 0 && { stopped: "not-finite" as const }),
    };
  }

  /** F of each of the caller's sets, as it is now, in float64. */
  setScores(queries: Uint32Array, sets: CandidateSets): Float64Array {
    const kernel = this.#open();
    const asked = this.#checkAsked(queries);
    const lists = checkSets(sets, asked.length, false);
    const scores = allocateAnswer(() => new Float64Array(lists.offsets.length - 1));
    kernel.setScores(asked, lists, scores);
    return scores;
  }

  /** ρ of each of the n queries, from 0 to 1: how well the set went that the model chose (equation 9). Counts with `sets.selfTraining`. */
  setRewards(rewards: Float64Array): void {
    const kernel = this.#open();
    const checked = checkTyped("rewards", rewards, "Float64Array");
    checkLength("rewards", checked, this.queries, "one a query");
    for (const reward of checked) {
      if (!(reward >= 0 && reward <= 1)) throw outOfRange("rewards", "numbers from 0 to 1", reward);
    }
    kernel.setRewards(checked);
  }

  /** l of every tool for these queries (by number), row by row: queries × N. Raw, not logarithms of a softmax. */
  logits(queries: Uint32Array): Float32Array {
    const kernel = this.#open();
    const asked = this.#checkAsked(queries);
    const logits = allocateAnswer(() => new Float32Array(asked.length * this.tools));
    kernel.logits(asked, logits);
    return logits;
  }

  /** A copy of the weights as they are now. */
  weights(): HypergraphTrainerWeights {
    const found = weightsLike(this.#shape);
    this.#open().readWeights(found);
    const { projection, embeddings, interactions, small } = found;
    const square = this.toolDimensions ** 2;
    const all = new Float32Array((this.maxSize - 1) * square);
    if (interactions.length > 0) {
      for (let start = 0; start < all.length; start += interactions.length) all.set(interactions, start);
    }
    const weights = this.#names.map((name, place) => [name, small[this.maxSize + place]!] as const);
    return {
      toolDimensions: this.toolDimensions,
      projection,
      embeddings,
      interactions: all,
      sizeOffsets: small.slice(0, this.maxSize),
      featureWeights: Object.fromEntries(weights),
    };
  }

  /** The state after the last whole epoch, to go on from bit for bit; what an epoch did that was stopped is not kept. */
  save(): Uint8Array {
    const numbers = this.#checkpointRoom();
    this.#open().writeCheckpoint(numbers.reals, numbers.doubles);
    return writeCheckpoint(numbers, fingerprintOf(this.#problem, this.#plan, this.#names));
  }

  /**
   * Goes back to a state that {@link HypergraphTrainer.save} gave, of a trainer made of the same data and options.
   *
   * @throws {KernelError} `corrupt-file`, `unsupported-version`, or `invalid-argument` when it belongs to another trainer.
   */
  restore(checkpoint: Uint8Array): void {
    const kernel = this.#open();
    if (!(checkpoint instanceof Uint8Array)) throw wrongType("checkpoint", "a Uint8Array", checkpoint);
    const numbers = this.#checkpointRoom();
    readCheckpoint(checkpoint, numbers, fingerprintOf(this.#problem, this.#plan, this.#names));
    kernel.readCheckpoint(numbers.reals, numbers.doubles);
    const [stage = 0, epoch = 0] = numbers.doubles.slice(-5);
    this.#epochs.fill(0);
    if (stage > 0) this.#epochs[stage - 1] = epoch;
  }

  /** Frees the memory, at once or when the batches that run are done. A call afterwards is refused; to dispose twice does no harm. */
  dispose(): void {
    if (!this.#running) this.#kernel?.dispose();
    this.#kernel = undefined;
  }

  /** For `using trainer = …`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #epoch(stage: StageNumber): TrainingEpoch {
    const kernel = this.#begin(stage);
    const report = new Float64Array(reportLength);
    kernel.advance(stage, mostQueries, report);
    return this.#told(stage, report);
  }

  async #epochLater(stage: StageNumber, { onProgress, signal }: TrainingRunOptions): Promise<TrainingEpoch> {
    const kernel = this.#begin(stage);
    const report = new Float64Array(reportLength);
    this.#running = true;
    try {
      for (;;) {
        signal?.throwIfAborted();
        await kernel.advanceLater(stage, batchesOfTurn, report);
        if (isDone(report)) break;
        onProgress?.(readReport(stage, report, this.#plan, this.#epochs[stage - 1]! + 1));
        this.#notDisposed();
      }
    } finally {
      this.#running = false;
      // Disposed meanwhile, when the batches had the kernel.
      if (this.#kernel === undefined) kernel.dispose();
    }
    return this.#told(stage, report);
  }

  #begin(stage: StageNumber): HypergraphTrainerKernel {
    const kernel = this.#open();
    // The other stage begins anew when it is next called.
    this.#epochs[2 - stage] = 0;
    return kernel;
  }

  #told(stage: StageNumber, report: Float64Array): TrainingEpoch {
    const epoch = readReport(stage, report, this.#plan, this.#epochs[stage - 1]! + 1);
    if (epoch.stopped === undefined) this.#epochs[stage - 1] = epoch.epoch;
    return epoch;
  }

  #open(): HypergraphTrainerKernel {
    if (!this.#running) return this.#notDisposed();
    throw new KernelError("invalid-argument", "An epoch of this trainer is running; wait until it is done.");
  }

  #notDisposed(): HypergraphTrainerKernel {
    if (this.#kernel !== undefined) return this.#kernel;
    throw new KernelError("invalid-argument", "This trainer was disposed; make a new one.");
  }

  #checkAsked(queries: Uint32Array): Uint32Array {
    const checked = checkTyped("queries", queries, "Uint32Array");
    for (const query of checked) {
      if (query >= this.queries) throw outOfRange("queries", `numbers below ${this.queries}, the queries`, query);
    }
    return checked;
  }

  #checkpointRoom(): { readonly reals: Float32Array; readonly doubles: Float64Array } {
    const { projection, embeddings, interactions, small } = this.#shape;
    // Each with two moments; then stage, epoch, step and two powers.
    const reals = 3 * (projection.length + embeddings.length + interactions.length);
    return { reals: new Float32Array(reals), doubles: new Float64Array(3 * small.length + 5) };
  }
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

/** All positions but these. */
function withoutPositions(count: number, left: Uint32Array): Uint32Array {
  const out = new Uint8Array(count);
  for (const position of left) out[position] = 1;
  return Uint32Array.from(new Uint32Array(count).keys()).filter((position) => out[position] === 0);
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

/** The kernel looks at what the sets hold. */
function checkSets(sets: CandidateSets, queries: number, gold: boolean): SetLists {
  const given = checkOptions("sets", sets);
  const lists = {
    queries: checkTyped("sets.queries", given.queries, "Uint32Array"),
    offsets: checkTyped("sets.offsets", given.offsets, "Uint32Array"),
    members: checkTyped("sets.members", given.members, "Uint32Array"),
  };
  checkLength("sets.queries", lists.queries, queries + 1, "one a query, and the end");
  if (lists.offsets.length === 0) throw outOfRange("sets.offsets", "one a set, and the end", "none");
  for (let query = 0; gold && query < queries; query += 1) {
    if (lists.queries[query]! < lists.queries[query + 1]!) continue;
    throw outOfRange("sets.queries", "a gold set for each query", `none for query ${query}`);
  }
  return lists;
}
