import { type PairScorer, SetwiseError, refuseAborted } from "@setwise/core";
import { checkTexts } from "./encoder-arguments.ts";
import { type OnnxModel, type OnnxModelOptions, openOnnxModel } from "./onnx-model.ts";
import type { OnTextCut } from "./text-cut.ts";
import { tokenBatches } from "./token-batches.ts";

export interface CrossEncoderOptions extends OnnxModelOptions {
  /** Told of each pair that was cut. */
  readonly onCut?: OnTextCut;
}

/** A {@link PairScorer} that holds a model. */
export interface CrossEncoder extends PairScorer {
  /** Frees the model's memory; the scorer must not be used afterwards. */
  dispose(): Promise<void>;
}

/**
 * A cross-encoder from the folder of a sequence-classification export: query and text are read as one pair, of which
 * the longer is cut first. The score is the logit of a model with one label; with two, that of the second less that of
 * the first (the log-odds of "relevant"). Needs the package onnxruntime-node.
 *
 * Fails with `missing-dependency`, `unreadable-source`, `corrupt-file`, or `invalid-argument` where the model gives no
 * logits of one or two labels.
 */
export async function createCrossEncoder(folder: string, options: CrossEncoderOptions = {}): Promise<CrossEncoder> {
  const model = await openOnnxModel(folder, options);
  try {
    return await scorerOf(model, options.onCut);
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

async function scorerOf(model: OnnxModel, onCut: OnTextCut | undefined): Promise<CrossEncoder> {
  const name = `cross-encoder:${model.description.name}:${model.fingerprint}`;
  const { output, labels } = await logitsOf(model);
  const score: PairScorer["score"] = async (query, texts, { signal } = {}) => {
    checkTexts([query]);
    checkTexts(texts);
    refuseAborted(signal);
    const pairs = texts.map((text) => model.tokenizer.encodePair(query, text, model.maxTokens));
    for (const [position, { cut, ids }] of pairs.entries())
      if (cut) onCut?.({ by: name, position, tokens: ids.length });
    const scores = new Float32Array(texts.length);
    const lengths = pairs.map(({ ids }) => ids.length);
    for (const batch of tokenBatches(lengths, { tokens: model.batchTokens })) {
      refuseAborted(signal);
      const { numbers } = await model.run(
        batch.flatMap((position) => pairs[position] ?? []),
        output,
      );
      for (const [row, position] of batch.entries()) {
        const last = numbers[row * labels + labels - 1] ?? Number.NaN;
        scores[position] = labels === 1 ? last : last - (numbers[row * labels] ?? Number.NaN);
      }
    }
    if (!scores.every(Number.isFinite)) throw notFinite(model);
    return scores;
  };
  return { name, score, dispose: () => model.dispose() };
}

/** The output with the logits, and of how many labels, seen from a first run. */
async function logitsOf(model: OnnxModel): Promise<{ readonly output: string; readonly labels: number }> {
  const names = model.outputs.map(({ name }) => name);
  const { folder } = model.description;
  const output = names.includes("logits") ? "logits" : names.length === 1 ? names[0] : undefined;
  if (output === undefined)
    throw new SetwiseError(
      "invalid-argument",
      `The model in ${folder} is no cross-encoder: it gives ${names.join(", ")}; expected logits.`,
      { source: folder },
    );
  const { shape } = await model.run([model.tokenizer.encodePair("", "", model.maxTokens)], output);
  const labels = shape.length === 1 ? 1 : (shape[1] ?? 0);
  if (shape.length > 2 || labels < 1 || labels > 2)
    throw new SetwiseError(
      "invalid-argument",
      `The model in ${folder} is no cross-encoder: its output ${output} has the shape ${shape.join(" × ")}; expected logits of one or two labels for each pair.`,
      { source: folder },
    );
  return { output, labels };
}

function notFinite(model: OnnxModel): SetwiseError {
  const { folder } = model.description;
  return new SetwiseError(
    "corrupt-file",
    `The model in ${folder} gives scores that are not finite: its weights are damaged.`,
    { source: folder },
  );
}
