import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { SetwiseError } from "@setwise/core";
import { bertTokenizer } from "./bert-tokenizer.ts";
import { checkCount } from "./encoder-arguments.ts";
import { huggingFaceTokenizer } from "./hugging-face-tokenizer.ts";
import { type ModelFolder, readModelFolder } from "./model-folder.ts";
import { loadOnnxRuntime, type OnnxInferenceSession, type OnnxMetadata, type OnnxRuntime } from "./onnx-runtime.ts";
import type { EncodedText, TextTokenizer } from "./tokenizer-layout.ts";

export interface OnnxModelOptions {
  /** The ONNX file within the folder, where it is not found by its name. */
  readonly file?: string;
  /** Threads of one run, 1 by default. */
  readonly threads?: number;
  /** Tokens a text is cut to, marks included; by default, and at most, what the model was made for. */
  readonly maxTokens?: number;
}

/** An opened model: what its folder says, its tokenizer, and a session that runs batches. */
export interface OnnxModel {
  readonly description: ModelFolder;
  readonly tokenizer: TextTokenizer;
  readonly maxTokens: number;
  /** Eight hexadecimal digits that change with the model's content, tokenizer, pooling, prompts or maxTokens. */
  readonly fingerprint: string;
  /** Most tokens to run together; 0 says one text at a time. */
  readonly batchTokens: number;
  readonly outputs: readonly OnnxMetadata[];
  /** Runs texts side by side, each padded to the longest; gives the numbers of `output`, row by row. */
  run(texts: readonly EncodedText[], output: string): Promise<OnnxAnswer>;
  /** Frees the model's memory when the runs under way are over; later ones fail with `invalid-argument`. */
  dispose(): Promise<void>;
}

export interface OnnxAnswer {
  readonly numbers: Float32Array;
  readonly shape: readonly number[];
}

/** More do not help models of this size: two threads on two cores were slower than one in every trial. */
const defaultThreads = 1;
/** Small batches stay in the processor's cache; 128 to 512 tokens were the fastest, 2,048 a third slower. */
const batchTokens = 512;
/** Of larger model files only so much is looked at to tell one from another. */
const inspectedBytes = 64 * 1024 * 1024;
const knownInputs = new Set(["input_ids", "attention_mask", "token_type_ids"]);

/**
 * Opens the ONNX export in `folder`.
 *
 * Fails with `missing-dependency` without onnxruntime-node, `unreadable-source` where a file is missing, `corrupt-file`
 * where one is cut short or damaged, `invalid-argument` where the model wants other inputs than a text encoder's.
 */
export async function openOnnxModel(folder: string, options: OnnxModelOptions = {}): Promise<OnnxModel> {
  const { threads = defaultThreads } = options;
  checkCount("threads", threads, 1, 1_024);
  const description = await readModelFolder(folder, options.file);
  const { maxTokens = description.maxTokens } = options;
  checkCount("maxTokens", maxTokens, 3, description.maxTokens);
  const tokenizer =
    bertTokenizer(description.tokenizer) ??
    (await huggingFaceTokenizer(description.tokenizer, description.tokenizerConfig, folder));
  const { hash, quantized } = await inspect(description.modelFile);
  const { pooling, prompts } = description;
  hash.update(description.tokenizerText).update(JSON.stringify([pooling, prompts, maxTokens]));
  const runtime = await loadOnnxRuntime();
  const session = await createSession(runtime, description, threads);
  /** A session that is released under a run fails, or worse. */
  const running = new Set<Promise<OnnxAnswer>>();
  let disposed: Promise<void> | undefined;
  return {
    description,
    tokenizer,
    maxTokens,
    fingerprint: hash.digest("hex").slice(0, 8),
    batchTokens: quantized ? 0 : batchTokens,
    outputs: session.outputNames.map((name, index) => session.outputMetadata[index] ?? { name }),
    run: async (texts, output) => {
      if (disposed !== undefined)
        throw new SetwiseError("invalid-argument", `The model of ${folder} was disposed of; open it again.`);
      const answer = runBatch(runtime, session, texts, output);
      running.add(answer);
      try {
        return await answer;
      } finally {
        running.delete(answer);
      }
    },
    dispose: () => (disposed ??= Promise.allSettled(running).then(() => session.release())),
  };
}

/**
 * Reads the beginning of a model file, all of it up to 64 MB. A model that quantises its activations as it runs does
 * so with one scale for a whole batch: there a text's vector depends on the texts beside it (cosine 0.993 for MiniLM),
 * so such models must run one text at a time.
 */
async function inspect(path: string): Promise<{ hash: ReturnType<typeof createHash>; quantized: boolean }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, inspectedBytes));
    await file.read(bytes, 0, bytes.length, 0);
    const hash = createHash("sha256").update(String(size)).update(bytes);
    return { hash, quantized: bytes.includes("DynamicQuantize") };
  } finally {
    await file.close();
  }
}

async function createSession(
  { InferenceSession }: OnnxRuntime,
  { folder, modelFile }: ModelFolder,
  threads: number,
): Promise<OnnxInferenceSession> {
  let session: OnnxInferenceSession | undefined;
  try {
    // Severity 4: the runtime prints nothing, errors are ours to report.
    session = await InferenceSession.create(modelFile, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw new SetwiseError(
      "corrupt-file",
      `${modelFile} cannot be opened as an ONNX model; it is cut short or damaged, or none. Get the file again. The runtime says: ${String(cause)}`,
      {
        source: modelFile,
        cause,
      },
    );
  }
  const strange = session.inputNames.filter((name) => !knownInputs.has(name));
  if (strange.length === 0 && session.inputNames.includes("input_ids")) return session;
  await session.release();
  throw new SetwiseError(
    "invalid-argument",
    `The model in ${folder} is of another kind: it wants ${session.inputNames.join(", ")}; expected input_ids, attention_mask and perhaps token_type_ids.`,
    { source: folder },
  );
}

async function runBatch(
  { Tensor }: OnnxRuntime,
  session: OnnxInferenceSession,
  texts: readonly EncodedText[],
  output: string,
): Promise<OnnxAnswer> {
  const width = texts.reduce((longest, { ids }) => Math.max(longest, ids.length), 0);
  const values: Record<string, (text: EncodedText, index: number) => number> = {
    input_ids: ({ ids }, index) => ids[index] ?? 0,
    attention_mask: ({ ids }, index) => (index < ids.length ? 1 : 0),
    token_type_ids: ({ types }, index) => types[index] ?? 0,
  };
  const feeds = session.inputNames.map((name, input) => {
    const value = values[name] ?? (() => 0);
    const numbers = texts.flatMap((text) => Array.from({ length: width }, (_, index) => value(text, index)));
    const shape = [texts.length, width];
    const narrow = session.inputMetadata[input]?.type === "int32";
    return [
      name,
      narrow
        ? new Tensor("int32", Int32Array.from(numbers), shape)
        : new Tensor("int64", BigInt64Array.from(numbers, BigInt), shape),
    ] as const;
  });
  const { [output]: answer } = await session.run(Object.fromEntries(feeds), [output]).catch((cause: unknown) => {
    throw new SetwiseError(
      "corrupt-file",
      `The model fails on its input; model and tokenizer may not belong together: ${String(cause)}`,
      { cause },
    );
  });
  if (answer === undefined || !(answer.data instanceof Float32Array))
    throw new SetwiseError("invalid-argument", `The model's output ${output} is not made of 32-bit floats.`);
  return { numbers: answer.data, shape: answer.dims };
}
