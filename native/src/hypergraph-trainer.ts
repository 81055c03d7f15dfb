import { allocateAnswer } from "./answer-columns.ts";
import { checkLength, checkTyped, outOfRange, wrongType } from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import {
  type CheckpointLengths,
  fingerprintOf,
  readCheckpoint,
  writeCheckpoint,
} from "./hypergraph-trainer-checkpoint.ts";
import {
  type HypergraphTrainerKernel,
  reportLength,
  type StageNumber,
  stepPlaces,
  type TrainerPlan,
  type TrainerProblem,
  type TrainerWeights,
} from "./hypergraph-trainer-kernel.ts";
import {
  type CandidateSets,
  checkSets,
  type HypergraphTrainerOptions,
  type HypergraphTrainerWeights,
  readTrainer,
} from "./hypergraph-trainer-request.ts";
import { weightsLike } from "./hypergraph-trainer-start.ts";
import { createNativeHypergraphTrainer } from "./native/hypergraph-trainer.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { isDone, readReport, type TrainingEpoch } from "./training-epoch.ts";
import { createTypescriptHypergraphTrainer } from "./typescript/hypergraph-trainer/trainer.ts";

/** Batches between two turns of the event loop: some milliseconds each. */
const batchesOfTurn = 2;
const mostQueries = 2 ** 31;

/** How an epoch is run while the event loop goes on. */
export interface TrainingRunOptions {
  /** Called between batches, with the epoch so far. */
  readonly onProgress?: (epoch: TrainingEpoch) => void;
  /** Stops between batches; the epoch can go on afterwards. */
  readonly signal?: AbortSignal;
}

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
  readonly #start: TrainerWeights;
  /** Epochs done of each stage. */
  readonly #epochs: [number, number] = [0, 0];
  #kernel: HypergraphTrainerKernel | undefined;
  #running = false;
  #knownFingerprint: Uint8Array | undefined;

  /**
   * @throws {KernelError} `invalid-argument` when an option has the wrong type, length or range, or a number is NaN or infinite.
   */
  constructor(options: HypergraphTrainerOptions) {
    const { problem, plan, names, weights } = readTrainer(options);
    const { addon, simd } = givenKernels(options.kernels);
    this.#problem = problem;
    this.#plan = plan;
    this.#names = names;
    this.#start = weights;
    this.queryDimensions = problem.queryDimensions;
    this.toolDimensions = problem.toolDimensions;
    this.tools = problem.tools;
    this.queries = problem.queries;
    this.maxSize = plan.maxSize;
    this.#kernel =
      addon === undefined
        ? createTypescriptHypergraphTrainer(problem, plan, weights, Float32Array)
        : createNativeHypergraphTrainer(addon, simd, problem, plan, weights);
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
    const found = weightsLike(this.#start);
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
    const kernel = this.#open();
    return writeCheckpoint(this.#checkpointLengths(), this.#fingerprint(), ({ reals, doubles }) =>
      kernel.writeCheckpoint(reals, doubles),
    );
  }

  /**
   * Goes back to a state that {@link HypergraphTrainer.save} gave, of a trainer made of the same data and options.
   *
   * @throws {KernelError} `corrupt-file`, `unsupported-version`, or `invalid-argument` when it belongs to another trainer.
   */
  restore(checkpoint: Uint8Array): void {
    const kernel = this.#open();
    if (!(checkpoint instanceof Uint8Array)) throw wrongType("checkpoint", "a Uint8Array", checkpoint);
    const { reals, doubles } = readCheckpoint(checkpoint, this.#checkpointLengths(), this.#fingerprint());
    kernel.readCheckpoint(reals, doubles);
    const [stage = 0, epoch = 0] = doubles.slice(-5);
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

  /** Takes a while over much data, which stay as they are. */
  #fingerprint(): Uint8Array {
    return (this.#knownFingerprint ??= fingerprintOf(this.#problem, this.#plan, this.#names, this.#start));
  }

  #checkpointLengths(): CheckpointLengths {
    const { projection, embeddings, interactions, small } = this.#start;
    // Each with two moments; then stage, epoch, step and two powers.
    return {
      reals: 3 * (projection.length + embeddings.length + interactions.length),
      doubles: 3 * small.length + 5,
    };
  }
}
