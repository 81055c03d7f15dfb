import { type Encoder, isDimensions, MOST_DIMENSIONS, type Problem, SetwiseError } from "@setwise/core";
import { checkEncoderFolder } from "./open-encoder-folder.ts";
import { openStaticEncoder } from "./open-static-encoder.ts";
import { hearCut, tellingCuts, type TextCut } from "./text-cuts.ts";
import { trimmedName } from "./trimmed-name.ts";

/** What an encoder that is named by a text may use beside. */
export interface OpenEncoderOptions {
  /** For an address: sent as `Authorization: Bearer …`. */
  readonly apiKey?: string | undefined;
  /**
   * For an address: how many milliseconds a request may take, its retries and the waits before them included; by default 30 seconds for
   * each attempt, and none after two that were not answered in time.
   */
  readonly timeoutMs?: number | undefined;
  /** A folder in which encoded texts are kept from one process to the next (not those of the table, which is quicker). */
  readonly cache?: string;
  /** Told when a text was cut, or the cache cannot be used; the text is encoded all the same. */
  readonly onProblem?: (problem: Problem) => void;
  /** Told of a text that was cut, in place of `onProblem`. */
  readonly onCut?: (cut: TextCut) => void;
  /** Stops the first request to an address, which learns how long its vectors are. */
  readonly signal?: AbortSignal | undefined;
}

/** Of a text that was cut, so many characters are shown. */
const SHOWN_CHARACTERS = 40;

/**
 * How meaning is compared: `static` (default) by the table that comes with Setwise; `minilm` by the transformer of
 * `@setwise/model-minilm` and the table together (`npm install @setwise/model-minilm onnxruntime-node`); `none` not at all, by words
 * only; the folder of any sentence-transformers export; the address of any OpenAI-compatible or text-embeddings-inference
 * server, with `#` and the model's name behind it where the server has several; or an encoder of one's own. Blanks around a name do not
 * count.
 */
export type EncoderChoice = "none" | "static" | "minilm" | (string & {}) | Encoder;

/**
 * The encoder that was chosen; `undefined` for `none`.
 *
 * @throws SetwiseError `missing-dependency`, `invalid-argument`, or what a folder or an address is refused with.
 */
export async function openEncoder(
  given: EncoderChoice,
  options: OpenEncoderOptions = {},
): Promise<Encoder | undefined> {
  if (typeof given !== "string") return checked(given);
  const choice = trimmedName("encoder", given, expected);
  if (choice === "none") return undefined;
  const { cache, onProblem } = options;
  const onCut = options.onCut ?? (onProblem === undefined ? undefined : (cut: TextCut) => onProblem(cutProblem(cut)));
  const encoder = choice === "static" ? await openStaticEncoder() : await slowEncoder(choice, options);
  const telling = onCut === undefined ? encoder : tellingCuts(encoder, onCut);
  if (cache === undefined || choice === "static") return telling;
  const { createCachedEncoder } = await import("@setwise/encoders");
  return createCachedEncoder(telling, { file: `${cache}/`, ...(onProblem === undefined ? {} : { onProblem }) });
}

/** The choice that made an encoder of this name; `undefined` where the name alone does not tell. */
export function choiceOfName(name: string): "static" | "minilm" | undefined {
  if (name.startsWith("static:")) return "static";
  return name.startsWith("joint:onnx:all-MiniLM-L6-v2:") ? "minilm" : undefined;
}

async function slowEncoder(choice: string, { apiKey, signal, timeoutMs }: OpenEncoderOptions): Promise<Encoder> {
  const { createHttpEncoder, createJointEncoder, createOnnxEncoder } = await import("@setwise/encoders");
  if (/^https?:\/\//i.test(choice)) {
    const [url = "", model] = choice.split("#", 2);
    return createHttpEncoder({
      url,
      apiKey,
      onCut: hearCut,
      ...(model === undefined ? {} : { model: modelName(model) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs, maxRequestMs: timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
  }
  if (choice !== "minilm") {
    await checkEncoderFolder(choice, names);
    return createOnnxEncoder(choice, { onCut: hearCut });
  }
  const { minilmModelFolder } = await importMinilm();
  return createJointEncoder([
    await createOnnxEncoder(minilmModelFolder, { onCut: hearCut }),
    await openStaticEncoder(),
  ]);
}

function modelName(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch (cause) {
    throw new SetwiseError(
      "invalid-argument",
      `The model behind # must be written as in addresses, but "${fragment}" has a % that begins no code; write % as %25.`,
      { cause },
    );
  }
}

function cutProblem({ by, text }: TextCut): Problem {
  const beginning = JSON.stringify(`${text.slice(0, SHOWN_CHARACTERS)}…`);
  return {
    code: "text-cut",
    message: `${by} has read only the beginning of ${beginning}; what follows is compared by its words.`,
  };
}

const names = "expected none, static, minilm, a model's folder or an http(s) address";
const expected = `${names}, or an encoder`;

function checked(encoder: Encoder): Encoder {
  const given: Partial<Encoder> | null | undefined = encoder;
  const { encode, name, dimensions } = given ?? {};
  if (typeof encode === "function" && typeof name === "string" && isDimensions(dimensions)) return encoder;
  throw new SetwiseError(
    "invalid-argument",
    `encoder has no name, dimensions and encode function, with dimensions from 1 to ${MOST_DIMENSIONS}; ${expected}.`,
  );
}

async function importMinilm(): Promise<typeof import("@setwise/model-minilm")> {
  try {
    return await import("@setwise/model-minilm");
  } catch (cause) {
    throw new SetwiseError(
      "missing-dependency",
      "The encoder minilm needs two packages: npm install @setwise/model-minilm onnxruntime-node (where api.nuget.org cannot be reached, with ONNXRUNTIME_NODE_INSTALL=skip in the environment)",
      { cause },
    );
  }
}
