import { KernelError } from "../errors.ts";
import type {
  HypergraphTrainerKernel,
  SetLists,
  StagePlan,
  Trained,
  TrainerPlan,
  TrainerProblem,
  TrainerWeights,
} from "../hypergraph-trainer-kernel.ts";
import type { SimdLevel } from "../kernels.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";

/** The part of the addon behind {@link createNativeHypergraphTrainer}. */
export interface HypergraphTrainerAddon {
  createHypergraphTrainer(
    shape: Uint32Array,
    numbers: Float64Array,
    anchors: Float32Array,
    queries: Float32Array,
    goldOffsets: Uint32Array,
    goldTools: Uint32Array,
    featureOffsets: Uint32Array,
    featureTools: Uint32Array,
    featureValues: Float32Array,
    queryWeights: Float64Array,
    training: Uint32Array,
    projection: Float32Array,
    embeddings: Float32Array,
    interactions: Float32Array,
    small: Float64Array,
    simd: SimdLevel,
  ): HypergraphTrainerHandle;
}

interface HypergraphTrainerHandle {
  advance(stage: number, batches: number, report: Float64Array): void;
  advanceAsync(stage: number, batches: number): Promise<Float64Array>;
  settle(): void;
  setStep(
    queries: Uint32Array,
    setQueries: Uint32Array,
    setOffsets: Uint32Array,
    members: Uint32Array,
    rateFactor: number,
    chosen: Uint32Array,
    results: Float64Array,
  ): void;
  setScores(
    queries: Uint32Array,
    setQueries: Uint32Array,
    setOffsets: Uint32Array,
    members: Uint32Array,
    scores: Float64Array,
  ): void;
  setRewards(rewards: Float64Array): void;
  logits(queries: Uint32Array, target: Float32Array): void;
  readWeights(
    projection: Float32Array,
    embeddings: Float32Array,
    interactions: Float32Array,
    small: Float64Array,
  ): void;
  writeCheckpoint(reals: Float32Array, doubles: Float64Array): void;
  readCheckpoint(reals: Float32Array, doubles: Float64Array): void;
  dispose(): void;
}

/** A trainer in native memory. */
export function createNativeHypergraphTrainer(
  addon: Addon,
  simd: SimdLevel,
  problem: TrainerProblem,
  plan: TrainerPlan,
  weights: TrainerWeights,
): HypergraphTrainerKernel {
  const { channels } = problem;
  const handle = calling(() =>
    addon.createHypergraphTrainer(
      shapeOf(problem, plan),
      numbersOf(plan),
      problem.anchors,
      problem.vectors,
      problem.gold.offsets,
      problem.gold.tools,
      joined(
        channels.map(({ offsets }) => offsets),
        (length) => new Uint32Array(length),
      ),
      joined(
        channels.map(({ tools }) => tools),
        (length) => new Uint32Array(length),
      ),
      joined(
        channels.map(({ values }) => values),
        (length) => new Float32Array(length),
      ),
      problem.queryWeights,
      problem.training,
      weights.projection,
      weights.embeddings,
      weights.interactions,
      weights.small,
      simd,
    ),
  );
  return {
    advance: (stage, batches, report) => calling(() => handle.advance(stage, batches, report)),
    advanceLater: async (stage, batches, report) => {
      try {
        report.set(await handle.advanceAsync(stage, batches));
      } catch (cause) {
        throw laterError(cause);
      }
      handle.settle();
    },
    setStep: (queries, sets, rateFactor, chosen, results) =>
      calling(() => handle.setStep(queries, ...columnsOf(sets), rateFactor, chosen, results)),
    setScores: (queries, sets, scores) => calling(() => handle.setScores(queries, ...columnsOf(sets), scores)),
    setRewards: (rewards) => calling(() => handle.setRewards(rewards)),
    logits: (queries, target) => calling(() => handle.logits(queries, target)),
    readWeights: ({ projection, embeddings, interactions, small }) =>
      calling(() => handle.readWeights(projection, embeddings, interactions, small)),
    writeCheckpoint: (reals, doubles) => calling(() => handle.writeCheckpoint(reals, doubles)),
    readCheckpoint: (reals, doubles) => calling(() => handle.readCheckpoint(reals, doubles)),
    dispose: () => handle.dispose(),
  };
}

/** An error of another thread has a code of Node-API's. */
function laterError(cause: unknown): KernelError {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  return new KernelError(code === "InvalidArg" ? "invalid-argument" : "internal", String(message), { cause });
}

function columnsOf({ queries, offsets, members }: SetLists): [Uint32Array, Uint32Array, Uint32Array] {
  return [queries, offsets, members];
}

function joined<Column extends Uint32Array | Float32Array>(
  parts: readonly Column[],
  create: (length: number) => Column,
): Column {
  const whole = create(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The whole numbers, in the order of `trainer_request.rs`. */
function shapeOf(problem: TrainerProblem, plan: TrainerPlan): Uint32Array {
  return Uint32Array.of(
    problem.queryDimensions,
    problem.toolDimensions,
    problem.channels.length,
    plan.threads,
    plan.seed,
    plan.maxSize,
    ["none", "shared", "by-size"].indexOf(plan.interactions),
    plan.alignment === "sum" ? 0 : 1,
    Number(plan.logSoftmax),
    Number(plan.summed),
    ...plan.negatives,
    plan.uniformPool,
    plan.neighbours,
    plan.own,
    ...stageShape(plan.matching),
    ...stageShape(plan.sets),
  );
}

/** The other numbers, in the order of `trainer_request.rs`. */
function numbersOf(plan: TrainerPlan): Float64Array {
  return Float64Array.of(
    ...plan.moments,
    plan.regularisation,
    plan.selfTraining,
    ...stageNumbers(plan.matching),
    ...stageNumbers(plan.sets),
  );
}

function stageShape({ epochs, batch, trained }: StagePlan): number[] {
  return [epochs, batch, trainedBits(trained)];
}

function trainedBits({ projection, embeddings, interactions, offsets, features }: Trained): number {
  return [projection, embeddings, interactions, offsets, features].reduce(
    (bits, trained, place) => bits | (Number(trained) << place),
    0,
  );
}

function stageNumbers(stage: StagePlan): number[] {
  const { warmup, learningRate, interactionRate, offsetRate, featureRate, weightDecay, anchor } = stage;
  return [warmup, learningRate, interactionRate, offsetRate, featureRate, weightDecay, anchor];
}
