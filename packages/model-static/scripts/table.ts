/** A vector for each token, `tokens` × `dimensions`. */
export interface Table {
  readonly dimensions: number;
  readonly rows: Float32Array;
}

/** The tokens of texts: those of text i are `ids[starts[i]]` to `ids[starts[i + 1] - 1]`. */
export interface TokenizedTexts {
  readonly starts: Int32Array;
  readonly ids: Int32Array;
}

/** How often each of `tokens` tokens stands in the texts. */
export function countTokens({ ids }: TokenizedTexts, tokens: number): Float64Array {
  const counts = new Float64Array(tokens);
  for (const id of ids) counts[id]! += 1;
  return counts;
}

/** For each text the mean of its tokens' rows, texts × dimensions; zeros for a text without tokens. */
export function meanRows({ starts, ids }: TokenizedTexts, { rows, dimensions }: Table, means: Float32Array): void {
  means.fill(0);
  for (let text = 0; text + 1 < starts.length; text++) {
    const from = starts[text]!;
    const to = starts[text + 1]!;
    const at = text * dimensions;
    for (let place = from; place < to; place++) {
      const row = ids[place]! * dimensions;
      for (let index = 0; index < dimensions; index++) means[at + index]! += rows[row + index]!;
    }
    if (to > from) for (let index = 0; index < dimensions; index++) means[at + index]! /= to - from;
  }
}

/** The transpose of {@link meanRows}: to each token's row comes `weight` · value / length of every text it stands in. */
export function spreadToTokens(
  { starts, ids }: TokenizedTexts,
  values: Float32Array,
  weights: Float32Array,
  { rows, dimensions }: Table,
): void {
  rows.fill(0);
  for (let text = 0; text + 1 < starts.length; text++) {
    const from = starts[text]!;
    const to = starts[text + 1]!;
    const share = weights[text]! / (to - from);
    const at = text * dimensions;
    for (let place = from; place < to; place++) {
      const row = ids[place]! * dimensions;
      for (let index = 0; index < dimensions; index++) rows[row + index]! += share * values[at + index]!;
    }
  }
}

/** Each row as int8 with one scale, so that its largest number is 127. */
export function quantise({ rows, dimensions }: Table): { readonly rows: Int8Array; readonly scales: Float32Array } {
  const scales = new Float32Array(rows.length / dimensions);
  const numbers = new Int8Array(rows.length);
  for (let token = 0; token < scales.length; token++) {
    const row = rows.subarray(token * dimensions, (token + 1) * dimensions);
    const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    scales[token] = largest / 127;
    const scale = scales[token]!;
    if (scale > 0)
      for (let index = 0; index < dimensions; index++)
        numbers[token * dimensions + index] = Math.round(row[index]! / scale);
  }
  return { rows: numbers, scales };
}
