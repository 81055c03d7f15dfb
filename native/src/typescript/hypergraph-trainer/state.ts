import type { TrainerWeights } from "../../hypergraph-trainer-kernel.ts";
import type { Reals, RealsConstructor } from "./reals.ts";

/** The numbers that are trained, or as many about them. */
export interface Weights {
  readonly projection: Reals;
  readonly embeddings: Reals;
  readonly interactions: Reals;
  readonly offsets: Float64Array;
  readonly features: Float64Array;
}

const reals = ["projection", "embeddings", "interactions"] as const;
const doubles = ["offsets", "features"] as const;

/** Everything that the next step depends on beside problem and plan. */
export interface State {
  readonly weights: Weights;
  readonly first: Weights;
  readonly second: Weights;
  /** 0 before a stage has begun. */
  stage: number;
  /** Epochs of the stage that are done. */
  epoch: number;
  /** Steps of the stage that are done. */
  step: number;
  /** β₁ᵗ and β₂ᵗ. */
  powers: readonly [number, number];
}

/** The state before any training. */
export function createState({ small, ...given }: TrainerWeights, maxSize: number, Numbers: RealsConstructor): State {
  const weights = {
    projection: new Numbers(given.projection),
    embeddings: new Numbers(given.embeddings),
    interactions: new Numbers(given.interactions),
    offsets: small.slice(0, maxSize),
    features: small.slice(maxSize),
  };
  return {
    weights,
    first: zerosLike(weights),
    second: zerosLike(weights),
    stage: 0,
    epoch: 0,
    step: 0,
    powers: [1, 1],
  };
}

/** As many zeros. */
export function zerosLike(weights: Weights): Weights {
  const zeros = <Numbers extends Reals>(values: Numbers): Numbers => values.slice().fill(0) as Numbers;
  return {
    projection: zeros(weights.projection),
    embeddings: zeros(weights.embeddings),
    interactions: zeros(weights.interactions),
    offsets: zeros(weights.offsets),
    features: zeros(weights.features),
  };
}

/** Makes all numbers 0. */
export function clear(weights: Weights): void {
  for (const part of [...reals, ...doubles]) weights[part].fill(0);
}

/** Forgets moments and counts. */
export function beginStage(state: State, stage: number): void {
  clear(state.first);
  clear(state.second);
  Object.assign(state, { stage, epoch: 0, step: 0, powers: [1, 1] });
}

/** Makes `state` what `other` is. */
export function copyState(state: State, other: State): void {
  for (const group of ["weights", "first", "second"] as const) {
    for (const part of [...reals, ...doubles]) state[group][part].set(other[group][part]);
  }
  const { stage, epoch, step, powers } = other;
  Object.assign(state, { stage, epoch, step, powers });
}

/** Writes a state into the columns of a checkpoint. */
export function writeState(state: State, columns: { readonly reals: Reals; readonly doubles: Float64Array }): void {
  let [at, next] = [0, 0];
  for (const group of [state.weights, state.first, state.second]) {
    for (const part of reals) {
      columns.reals.set(group[part], at);
      at += group[part].length;
    }
    for (const part of doubles) {
      columns.doubles.set(group[part], next);
      next += group[part].length;
    }
  }
  columns.doubles.set([state.stage, state.epoch, state.step, ...state.powers], next);
}

/** Reads what {@link writeState} wrote. */
export function readState(state: State, columns: { readonly reals: Reals; readonly doubles: Float64Array }): void {
  let [at, next] = [0, 0];
  for (const group of [state.weights, state.first, state.second]) {
    for (const part of reals) {
      group[part].set(columns.reals.subarray(at, at + group[part].length));
      at += group[part].length;
    }
    for (const part of doubles) {
      group[part].set(columns.doubles.subarray(next, next + group[part].length));
      next += group[part].length;
    }
  }
  const [stage = 0, epoch = 0, step = 0, first = 1, second = 1] = columns.doubles.subarray(next);
  Object.assign(state, { stage, epoch, step, powers: [first, second] });
}
