import { type Encoder, SetwiseError, refuseAborted } from "@setwise/core";
import { checkTexts } from "./encoder-arguments.ts";
import { type OnnxModel, type OnnxModelOptions, openOnnxModel } from "./onnx-model.ts";
import { poolTokens, scaleToUnit } from "./pooling.ts";
import type { OnTextCut } from "./text-cut.ts";
import { tokenBatches } from "./token-batches.ts";
import type { EncodedText } from "./tokenizer-layout.ts";

export interface OnnxEncoderOptions extends OnnxModelOptions {
  /** Told of each text that was cut. */
  readonly onCut?: OnTextCut;
}

type EncodeOptions = NonNullable<Parameters<Encoder["encode"]>[1]>;

/** An {@link Encoder} that can also give the vectors of a text's tokens. */
export interface OnnxEncoder extends Encoder {
  /**
   * For each text the vectors of its tokens, marks included: tokens × `dimensions` of the token vectors, each row of
   * length 1. A text without any known token has none. Fails with `invalid-argument` where the model gives only whole texts.
   */
  encodeTokens(texts: readonly string[], options?: EncodeOptions): Promise<readonly Float32Array[]>;
  /** Frees the model's memory when the batch under way is over; what is still to be encoded fails with `invalid-argument`. */
  dispose(): Promise<void>;
}

const sentenceOutput = "sentence_embedding";
const tokenOutputs = ["last_hidden_state", "token_embeddings"];

/**
 * An encoder from the folder of a sentence-transformers export: ONNX model, `tokenizer.json`, and the configuration
 * files that name pooling, prompts and length. Needs the package onnxruntime-node; tokenizers other than BERT's need
 * `@huggingface/tokenizers`. Runs on one thread unless told otherwise.
 *
 * A text has the same vector whatever stands beside it: to the bit where the model quantises its activations as it
 * runs (such models run one text at a time), to about 1e-6 a number otherwise.
 *
 * Fails with `missing-dependency`, `unreadable-source`, `corrupt-file` or `invalid-argument`, see the messages.
 */
export async function createOnnxEncoder(folder: string, options: OnnxEncoderOptions = {}): Promise<OnnxEncoder> {
  const model = await openOnnxModel(folder, options);
  try {
    return await encoderOf(model, options.onCut);
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

async function encoderOf(model: OnnxModel, onCut: OnTextCut | undefined): Promise<OnnxEncoder> {
  const name = `onnx:${model.description.name}:${model.fingerprint}`;
  const { embed, dimensions } = await embedding(model);
  const tokenOutput = tokenOutputs.find((wanted) => model.outputs.some((output) => output.name === wanted));

  const readTexts = (texts: readonly string[], { as = "document" }: EncodeOptions): readonly EncodedText[] =>
    texts.map((text, position) => {
      const encoded = model.tokenizer.encode(model.description.prompts[as] + text, model.maxTokens);
      if (encoded.cut) onCut?.({ by: name, position, tokens: encoded.ids.length });
      // A prompt is known to the model, but a text of nothing known still means nothing.
      return model.description.prompts[as] === "" ? encoded : { ...encoded, known: hasKnownToken(model, text) };
    });

  const encode: Encoder["encode"] = async (texts, encodeOptions = {}) => {
    checkTexts(texts);
    refuseAborted(encodeOptions.signal);
    const encoded = readTexts(texts, encodeOptions);
    const vectors = new Float32Array(texts.length * dimensions);
    await forEachBatch(model, encoded, encodeOptions.signal, async (positions) => {
      const rows = await embed(positions.map((position) => textAt(encoded, position)));
      for (const [row, position] of positions.entries()) {
        const vector = rows.subarray(row * dimensions, (row + 1) * dimensions);
        if (!scaleToUnit(vector)) throw notFinite(model);
        vectors.set(vector, position * dimensions);
      }
    });
    return vectors;
  };

  const encodeTokens: OnnxEncoder["encodeTokens"] = async (texts, encodeOptions = {}) => {
    if (tokenOutput === undefined) throw wrongKind(model, "it gives no vectors of tokens");
    checkTexts(texts);
    refuseAborted(encodeOptions.signal);
    const encoded = readTexts(texts, encodeOptions);
    const answers: Float32Array[] = texts.map(() => new Float32Array());
    await forEachBatch(model, encoded, encodeOptions.signal, async (positions) => {
      const { numbers, shape } = await model.run(
        positions.map((position) => textAt(encoded, position)),
        tokenOutput,
      );
      const [, width = 0, size = 0] = shape;
      for (const [row, position] of positions.entries()) {
        const start = row * width * size;
        const vectors = numbers.slice(start, start + textAt(encoded, position).ids.length * size);
        for (let token = 0; token < vectors.length; token += size)
          if (!scaleToUnit(vectors.subarray(token, token + size))) throw notFinite(model);
        answers[position] = vectors;
      }
    });
    return answers;
  };

  return { name, dimensions, encode, encodeTokens, dispose: () => model.dispose() };
}

/** Runs the texts that have a known token in batches, looking at the signal before each. */
async function forEachBatch(
  model: OnnxModel,
  encoded: readonly EncodedText[],
  signal: AbortSignal | undefined,
  run: (positions: readonly number[]) => Promise<void>,
): Promise<void> {
  const known = [...encoded.keys()].filter((position) => encoded[position]?.known === true);
  const lengths = known.map((position) => textAt(encoded, position).ids.length);
  for (const batch of tokenBatches(lengths, { tokens: model.batchTokens })) {
    refuseAborted(signal);
    await run(batch.map((index) => known[index] ?? 0));
  }
}

/** How this model makes one vector of a text: its own output where it has one, else pooled token vectors. */
async function embedding(model: OnnxModel): Promise<{
  readonly dimensions: number;
  readonly embed: (texts: readonly EncodedText[]) => Promise<Float32Array>;
}> {
  const names = model.outputs.map(({ name }) => name);
  const own = names.includes(sentenceOutput);
  const output = own ? sentenceOutput : names.find((name) => tokenOutputs.includes(name));
  if (output === undefined)
    throw wrongKind(model, `it gives ${names.join(", ")}; expected ${[sentenceOutput, ...tokenOutputs].join(" or ")}`);
  if (!own && model.description.furtherModules.length > 0)
    throw wrongKind(model, `its modules ${model.description.furtherModules.join(", ")} are not in the ONNX file`);
  // What the graph declares may be a name, so the width is seen from a first run, which also warms the session up.
  const probe = await model.run([model.tokenizer.encode("", model.maxTokens)], output);
  const dimensions = probe.shape.at(-1) ?? 0;
  if (probe.shape.length !== (own ? 2 : 3) || dimensions < 1)
    throw wrongKind(model, `its output ${output} has the shape ${probe.shape.join(" × ")}`);
  const embed = async (texts: readonly EncodedText[]) => {
    const { numbers, shape } = await model.run(texts, output);
    return own ? numbers : poolBatch(model, texts, { numbers, width: shape[1] ?? 0, dimensions });
  };
  return { dimensions, embed };
}

function poolBatch(
  model: OnnxModel,
  texts: readonly EncodedText[],
  {
    numbers,
    width,
    dimensions,
  }: { readonly numbers: Float32Array; readonly width: number; readonly dimensions: number },
): Float32Array {
  const pooled = new Float32Array(texts.length * dimensions);
  for (const [row, { ids }] of texts.entries())
    poolTokens(
      model.description.pooling,
      { numbers, start: row * width * dimensions, tokens: ids.length },
      pooled.subarray(row * dimensions, (row + 1) * dimensions),
    );
  return pooled;
}

function hasKnownToken(model: OnnxModel, text: string): boolean {
  return model.tokenizer.encode(text, model.maxTokens).known;
}

function textAt(encoded: readonly EncodedText[], position: number): EncodedText {
  const text = encoded[position];
  if (text === undefined) throw new SetwiseError("internal", `There is no text ${position} of ${encoded.length}.`);
  return text;
}

function wrongKind(model: OnnxModel, what: string): SetwiseError {
  const { folder } = model.description;
  return new SetwiseError("invalid-argument", `The model in ${folder} is not an encoder: ${what}.`, { source: folder });
}

function notFinite(model: OnnxModel): SetwiseError {
  const { folder } = model.description;
  return new SetwiseError(
    "corrupt-file",
    `The model in ${folder} gives numbers that are not finite: its weights are damaged.`,
    { source: folder },
  );
}
