import { setImmediate } from "node:timers/promises";
import { type Encoder, SetwiseError, refuseAborted } from "@setwise/core";
import { checkCount, checkTexts } from "./encoder-arguments.ts";
import type { StaticModel } from "./static-model.ts";
import type { OnTextCut } from "./text-cut.ts";
import { createWordPiece } from "./word-piece.ts";

export interface StaticEncoderOptions {
  /** Tokens a text is cut to, 512 by default. */
  readonly maxTokens?: number;
  /** Told of each text that was cut. */
  readonly onCut?: OnTextCut;
}

/** Twice what the table was fitted to: a mean of more tokens says ever less. */
const defaultMaxTokens = 512;
/** Texts between two looks at the signal; about 5 ms of work. */
const batch = 256;

/**
 * Meaning from a table: the vector of a text is the mean of its tokens' vectors, scaled to length 1; word order is not
 * seen. Needs no runtime and no network, and encodes a query in microseconds. A word the table does not know counts
 * for nothing. Encoding fails with `corrupt-file` where a scale it needs is not finite.
 */
export function createStaticEncoder(model: StaticModel, options: StaticEncoderOptions = {}): Encoder {
  const { maxTokens = defaultMaxTokens, onCut } = options;
  checkCount("maxTokens", maxTokens, 1, 1_000_000);
  const { dimensions } = model;
  const wordPiece = createWordPiece(model.vocabulary, model);
  const suffix = maxTokens === defaultMaxTokens ? "" : `:${maxTokens}`;
  const name = `static:${model.name}:${model.fingerprint}${suffix}`;
  const encode: Encoder["encode"] = async (texts, { signal } = {}) => {
    checkTexts(texts);
    refuseAborted(signal);
    const vectors = new Float32Array(texts.length * dimensions);
    const sum = new Float64Array(dimensions);
    for (const [position, text] of texts.entries()) {
      if (position > 0 && position % batch === 0) {
        await setImmediate();
        refuseAborted(signal);
      }
      const { ids, cut } = wordPiece.tokenize(text, maxTokens);
      if (cut) onCut?.({ by: name, position, tokens: ids.length });
      addRows(model, ids, sum.fill(0));
      if (!writeUnitRow(sum, vectors, position * dimensions)) throw notFinite(model);
    }
    return vectors;
  };
  return { name, dimensions, encode };
}

/** sum += Σ scale_i · row_i over the tokens i of `ids`; four tokens a pass, which halves the time. */
function addRows({ rows, scales, dimensions }: StaticModel, ids: readonly number[], sum: Float64Array): void {
  let token = 0;
  for (; token + 4 <= ids.length; token += 4) {
    const [a, b, c, d] = [ids[token]!, ids[token + 1]!, ids[token + 2]!, ids[token + 3]!];
    const [scaleA, scaleB, scaleC, scaleD] = [scales[a]!, scales[b]!, scales[c]!, scales[d]!];
    const [rowA, rowB, rowC, rowD] = [a * dimensions, b * dimensions, c * dimensions, d * dimensions];
    for (let index = 0; index < dimensions; index++)
      sum[index]! +=
        rows[rowA + index]! * scaleA +
        rows[rowB + index]! * scaleB +
        rows[rowC + index]! * scaleC +
        rows[rowD + index]! * scaleD;
  }
  for (; token < ids.length; token++) {
    const scale = scales[ids[token]!]!;
    const row = ids[token]! * dimensions;
    for (let index = 0; index < dimensions; index++) sum[index]! += rows[row + index]! * scale;
  }
}

/** Writes sum / |sum| from `start` on; a sum of length 0 is left as zeros. Gives whether the length was finite. */
function writeUnitRow(sum: Float64Array, vectors: Float32Array, start: number): boolean {
  let squares = 0;
  for (let index = 0; index < sum.length; index++) squares += sum[index]! * sum[index]!;
  if (!Number.isFinite(squares)) return false;
  const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let index = 0; index < sum.length; index++) vectors[start + index] = sum[index]! * inverse;
  return true;
}

function notFinite(model: StaticModel): SetwiseError {
  return new SetwiseError(
    "corrupt-file",
    `The scales of the static model ${model.name} hold numbers that are not finite. Install it again.`,
  );
}
