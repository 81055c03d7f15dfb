import type { Table, TokenizedTexts } from "./table.ts";

/** The unit vectors of some texts, with what is needed to go back from them to the table. */
export interface Batch {
  readonly texts: TokenizedTexts;
  readonly chosen: readonly number[];
  /** Chosen × dimensions; zeros for a text without tokens. */
  readonly vectors: Float32Array;
  readonly lengths: Float64Array;
}

/** The sum of each text's rows, scaled to length 1: what the static encoder gives. */
export function encodeBatch(texts: TokenizedTexts, chosen: readonly number[], { rows, dimensions }: Table): Batch {
  const vectors = new Float32Array(chosen.length * dimensions);
  const lengths = new Float64Array(chosen.length);
  for (const [place, text] of chosen.entries()) {
    const vector = vectors.subarray(place * dimensions, (place + 1) * dimensions);
    for (let at = texts.starts[text]!; at < texts.starts[text + 1]!; at++) {
      const row = texts.ids[at]! * dimensions;
      for (let index = 0; index < dimensions; index++) vector[index]! += rows[row + index]!;
    }
    let squares = 0;
    for (let index = 0; index < dimensions; index++) squares += vector[index]! * vector[index]!;
    lengths[place] = Math.sqrt(squares) || 1;
    for (let index = 0; index < dimensions; index++) vector[index]! /= lengths[place]!;
  }
  return { texts, chosen, vectors, lengths };
}

export interface TokenGradient {
  /** Adds what a gradient by the vectors of a batch means for the rows of its tokens. Overwrites `byVectors`. */
  add(batch: Batch, byVectors: Float32Array): void;
  /** Moves the rows that were added to since the last step. */
  step(rate: number): void;
}

/** Shares that Adam keeps of its running means (Kingma and Ba 2015). */
const [keptMean, keptSquare] = [0.9, 0.999];

/** Adam on the rows of a table, which looks only at the rows that a batch touches: most tokens are not in it. */
export function tokenGradient({ rows, dimensions }: Table): TokenGradient {
  const gradient = new Float32Array(rows.length);
  const means = new Float32Array(rows.length);
  const squares = new Float32Array(rows.length);
  const touched = new Set<number>();
  let steps = 0;
  const add: TokenGradient["add"] = ({ texts, chosen, vectors, lengths }, byVectors) => {
    for (const [place, text] of chosen.entries()) {
      const from = place * dimensions;
      let along = 0;
      for (let at = from; at < from + dimensions; at++) along += byVectors[at]! * vectors[at]!;
      for (let at = from; at < from + dimensions; at++)
        byVectors[at] = (byVectors[at]! - along * vectors[at]!) / lengths[place]!;
      for (let token = texts.starts[text]!; token < texts.starts[text + 1]!; token++) {
        const id = texts.ids[token]!;
        touched.add(id);
        for (let index = 0; index < dimensions; index++) gradient[id * dimensions + index]! += byVectors[from + index]!;
      }
    }
  };
  const step: TokenGradient["step"] = (rate) => {
    steps += 1;
    const meanScale = 1 / (1 - keptMean ** steps);
    const squareScale = 1 / (1 - keptSquare ** steps);
    for (const id of touched)
      for (let at = id * dimensions; at < (id + 1) * dimensions; at++) {
        const slope = gradient[at]!;
        means[at] = keptMean * means[at]! + (1 - keptMean) * slope;
        squares[at] = keptSquare * squares[at]! + (1 - keptSquare) * slope * slope;
        rows[at]! -= (rate * means[at]! * meanScale) / (Math.sqrt(squares[at]! * squareScale) + 1e-8);
        gradient[at] = 0;
      }
    touched.clear();
  };
  return { add, step };
}
