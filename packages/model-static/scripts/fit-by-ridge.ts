import { meanRows, spreadToTokens, type Table, type TokenizedTexts } from "./table.ts";

export interface RidgeOptions {
  /** What holds the table to its start. */
  readonly ridge: number;
  readonly steps: number;
  readonly onProgress?: (line: string) => void;
}

/*
 * Minimises over tables T:  Σ over texts i: w_i · |mean of T's rows over the tokens of i − target_i|²  +  ridge · |T − start|²
 *
 * w_i is the number of tokens of text i over `tokensOfWeightOne`, so that a text of three words, whose mean is easily met,
 * does not decide what they mean. Conjugate gradients on (X'WX + ridge) Δ = X'W (targets − X · start), all dimensions side by
 * side (each has steps of its own), divided by the diagonal first: tokens differ in frequency by five orders of magnitude, and
 * without that 60 steps are not enough where 10 are.
 */
const tokensOfWeightOne = 10;

/** The table whose means come closest to the targets (texts × dimensions). */
export function fitByRidge(
  texts: TokenizedTexts,
  targets: Float32Array,
  start: Table,
  { ridge, steps, onProgress }: RidgeOptions,
): Table {
  const { dimensions } = start;
  const like = (): Table => ({ dimensions, rows: new Float32Array(start.rows.length) });
  const weights = Float32Array.from(
    { length: texts.starts.length - 1 },
    (_, text) => (texts.starts[text + 1]! - texts.starts[text]!) / tokensOfWeightOne,
  );
  const diagonal = diagonalOf(texts, weights, start.rows.length / dimensions, ridge);
  const means = new Float32Array(targets.length);
  meanRows(texts, start, means);
  for (let index = 0; index < means.length; index++) means[index] = targets[index]! - means[index]!;
  const residual = like();
  spreadToTokens(texts, means, weights, residual);
  const answer = like();
  const direction = like();
  const image = like();
  move(direction.rows, residual.rows, diagonal, new Float64Array(dimensions));
  let squares = dots(residual.rows, residual.rows, dimensions, diagonal);
  const first = largest(squares);
  for (let step = 1; step <= steps; step++) {
    meanRows(texts, direction, means);
    spreadToTokens(texts, means, weights, image);
    for (let index = 0; index < image.rows.length; index++) image.rows[index]! += ridge * direction.rows[index]!;
    const curvature = dots(direction.rows, image.rows, dimensions);
    const lengths = squares.map((square, index) => (curvature[index]! > 0 ? square / curvature[index]! : 0));
    add(answer.rows, direction.rows, lengths);
    add(
      residual.rows,
      image.rows,
      lengths.map((length) => -length),
    );
    const next = dots(residual.rows, residual.rows, dimensions, diagonal);
    move(
      direction.rows,
      residual.rows,
      diagonal,
      next.map((square, index) => (squares[index]! > 0 ? square / squares[index]! : 0)),
    );
    squares = next;
    onProgress?.(
      `ridge: step ${step} of ${steps}, residual ${Math.sqrt(largest(squares) / (first || 1)).toExponential(1)}`,
    );
  }
  add(answer.rows, start.rows, new Float64Array(dimensions).fill(1));
  return answer;
}

/** Of X'WX + ridge, by token. */
function diagonalOf(
  { starts, ids }: TokenizedTexts,
  weights: Float32Array,
  tokens: number,
  ridge: number,
): Float64Array {
  const diagonal = new Float64Array(tokens).fill(ridge);
  const times = new Float64Array(tokens);
  for (let text = 0; text + 1 < starts.length; text++) {
    const own = ids.subarray(starts[text]!, starts[text + 1]!);
    for (const id of own) times[id]! += 1;
    for (const id of own) {
      diagonal[id]! += (weights[text]! * times[id]! * times[id]!) / (own.length * own.length);
      times[id] = 0;
    }
  }
  return diagonal;
}

/** Σ over tokens of a · b / diagonal, by dimension. */
function dots(a: Float32Array, b: Float32Array, dimensions: number, diagonal?: Float64Array): Float64Array {
  const sums = new Float64Array(dimensions);
  for (let token = 0, at = 0; at < a.length; token++, at += dimensions) {
    const share = diagonal === undefined ? 1 : 1 / diagonal[token]!;
    for (let index = 0; index < dimensions; index++) sums[index]! += share * a[at + index]! * b[at + index]!;
  }
  return sums;
}

/** a += b times the length of each dimension. */
function add(a: Float32Array, b: Float32Array, lengths: Float64Array): void {
  for (let at = 0; at < a.length; at += lengths.length)
    for (let index = 0; index < lengths.length; index++) a[at + index]! += lengths[index]! * b[at + index]!;
}

/** The next direction: residual / diagonal, plus a share of the old one. */
function move(direction: Float32Array, residual: Float32Array, diagonal: Float64Array, shares: Float64Array): void {
  for (let token = 0, at = 0; at < direction.length; token++, at += shares.length)
    for (let index = 0; index < shares.length; index++)
      direction[at + index] = residual[at + index]! / diagonal[token]! + shares[index]! * direction[at + index]!;
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
