import type { TrainerPlan, TrainerWeights } from "./hypergraph-trainer-kernel.ts";
import { matricesOf } from "./hypergraph-trainer-kernel.ts";
import { leadingDirections } from "./leading-directions.ts";
import { Random, purposes } from "./typescript/hypergraph-trainer/random.ts";

/** M begins at nothing but a little noise, so that no two sizes are exactly the same. */
const noise = 1e-3;

/** Where Z is held, and P and Z to begin with. */
export interface TrainerStart {
  /** N × d_z, rows of length 1 where the tool's vector is not zero. */
  readonly anchors: Float32Array;
  /** d_r × d_z. */
  readonly projection: Float32Array;
}

/**
 * Z from the vectors of the tools' texts, and P so that l = scale · cosine: with d_z = d_r the vectors themselves and scale · I, with fewer
 * their coordinates along the leading directions of all tools, made of length 1.
 */
export function startOf(
  toolVectors: Float32Array,
  queryDimensions: number,
  toolDimensions: number,
  scale: number,
): TrainerStart {
  const projection = new Float32Array(queryDimensions * toolDimensions);
  if (toolDimensions === queryDimensions) {
    for (let i = 0; i < queryDimensions; i += 1) projection[i * queryDimensions + i] = scale;
    return { anchors: unitRows(toolVectors, queryDimensions), projection };
  }
  const directions = leadingDirections(toolVectors, queryDimensions, toolDimensions);
  for (let i = 0; i < projection.length; i += 1) projection[i] = scale * directions[i]!;
  const tools = toolVectors.length / queryDimensions;
  const anchors = new Float32Array(tools * toolDimensions);
  for (let tool = 0; tool < tools; tool += 1) {
    for (let column = 0; column < toolDimensions; column += 1) {
      let sum = 0;
      for (let i = 0; i < queryDimensions; i += 1) {
        sum += toolVectors[tool * queryDimensions + i]! * directions[i * toolDimensions + column]!;
      }
      anchors[tool * toolDimensions + column] = sum;
    }
  }
  return { anchors: unitRows(anchors, toolDimensions), projection };
}

/** Symmetric noise for the matrices of a plan, uniform with standard deviation 1e-3. */
export function startingInteractions(plan: TrainerPlan, dimensions: number): Float32Array {
  const matrices = new Float32Array(matricesOf(plan) * dimensions * dimensions);
  const random = new Random(plan.seed, 0, 0, purposes.noise, 0);
  const bound = noise * Math.sqrt(3);
  for (let start = 0; start < matrices.length; start += dimensions * dimensions) {
    for (let row = 0; row < dimensions; row += 1) {
      for (let column = 0; column <= row; column += 1) {
        const value = (random.fraction() * 2 - 1) * bound;
        matrices[start + row * dimensions + column] = value;
        matrices[start + column * dimensions + row] = value;
      }
    }
  }
  return matrices;
}

/** Rows of length 1; a row of zeros stays. */
export function unitRows(rows: Float32Array, dimensions: number): Float32Array {
  const units = new Float32Array(rows.length);
  for (let start = 0; start < rows.length; start += dimensions) {
    let square = 0;
    for (let i = start; i < start + dimensions; i += 1) square += rows[i]! * rows[i]!;
    const length = Math.sqrt(square);
    if (length > 0) for (let i = start; i < start + dimensions; i += 1) units[i] = rows[i]! / length;
  }
  return units;
}

/** Room for weights, filled by a kernel. */
export function weightsLike(weights: TrainerWeights): TrainerWeights {
  return {
    projection: new Float32Array(weights.projection.length),
    embeddings: new Float32Array(weights.embeddings.length),
    interactions: new Float32Array(weights.interactions.length),
    small: new Float64Array(weights.small.length),
  };
}
