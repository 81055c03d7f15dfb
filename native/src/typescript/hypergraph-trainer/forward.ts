import type { Trained, TrainerProblem } from "../../hypergraph-trainer-kernel.ts";
import { multiply, multiplyByTranspose, multiplyTransposed, type Reals, type RealsConstructor } from "./reals.ts";
import type { State, Weights } from "./state.ts";

/** What a batch of queries becomes on its way to the logits. */
export interface Forward {
  readonly batch: Uint32Array;
  /** R, B × d_r. */
  readonly queries: Reals;
  /** R P, B × d_z. */
  readonly hidden: Reals;
  /** B × N; later their gradient. */
  readonly logits: Reals;
}

/** l = (R P) Zᵀ + Σ_f w_f φ_f of these queries. */
export function forward(
  problem: TrainerProblem,
  { weights }: State,
  batch: Uint32Array,
  Numbers: RealsConstructor,
): Forward {
  const { queryDimensions, toolDimensions, tools, vectors, channels } = problem;
  const rows = batch.length;
  const queries = new Numbers(rows * queryDimensions);
  for (const [row, query] of batch.entries()) {
    queries.set(vectors.subarray(query * queryDimensions, (query + 1) * queryDimensions), row * queryDimensions);
  }
  const hidden = new Numbers(rows * toolDimensions);
  multiply(queries, weights.projection, hidden, rows, queryDimensions, toolDimensions);
  const logits = new Numbers(rows * tools);
  multiplyByTranspose(hidden, weights.embeddings, logits, rows, toolDimensions, tools);
  for (const [channel, { offsets, tools: listed, values }] of channels.entries()) {
    const weight = weights.features[channel]!;
    for (const [row, query] of batch.entries()) {
      for (let i = offsets[query]!; i < offsets[query + 1]!; i += 1)
        logits[row * tools + listed[i]!]! += weight * values[i]!;
    }
  }
  return { batch, queries, hidden, logits };
}

/** From the gradient of the logits, which stands in their place, to those of P, Z and the features, to which it adds. */
export function back(
  { batch, queries, hidden, logits }: Forward,
  { queryDimensions, toolDimensions, tools, channels }: TrainerProblem,
  weights: Weights,
  trained: Trained,
  gradients: Weights,
  Numbers: RealsConstructor,
): void {
  const rows = batch.length;
  for (const [channel, { offsets, tools: listed, values }] of channels.entries()) {
    let sum = 0;
    for (const [row, query] of batch.entries()) {
      for (let i = offsets[query]!; i < offsets[query + 1]!; i += 1)
        sum += logits[row * tools + listed[i]!]! * values[i]!;
    }
    if (trained.features) gradients.features[channel]! += sum;
  }
  if (trained.embeddings) multiplyTransposed(logits, hidden, gradients.embeddings, tools, rows, toolDimensions);
  if (trained.projection) {
    const found = new Numbers(rows * toolDimensions);
    multiply(logits, weights.embeddings, found, rows, tools, toolDimensions);
    multiplyTransposed(queries, found, gradients.projection, queryDimensions, rows, toolDimensions);
  }
}
