import { type Encoder, SetwiseError } from "@setwise/core";

/**
 * How meaning is compared: `static` (default) by the table that comes with Setwise; `minilm` by the transformer of
 * `@setwise/model-minilm` and the table together (`npm install @setwise/model-minilm onnxruntime-node`); `none` not at all, by words
 * only; the folder of any sentence-transformers export; the address of any OpenAI-compatible or text-embeddings-inference
 * server; or an encoder of one's own.
 */
export type EncoderChoice = "none" | "static" | "minilm" | (string & {}) | Encoder;

/**
 * The encoder that was chosen; `undefined` for `none`.
 *
 * @throws SetwiseError `missing-dependency`, `invalid-argument`, or what a folder or an address is refused with.
 */
export async function openEncoder(choice: EncoderChoice): Promise<Encoder | undefined> {
  if (typeof choice !== "string") return checked(choice);
  switch (choice) {
    case "none":
      return undefined;
    case "static":
      return staticEncoder();
    case "minilm":
      return minilmEncoder();
    case "":
      throw new SetwiseError("invalid-argument", `encoder is empty; ${expected}.`);
  }
  if (/^https?:\/\//i.test(choice)) return (await import("@setwise/encoders")).createHttpEncoder({ url: choice });
  return (await import("@setwise/encoders")).createOnnxEncoder(choice);
}

const expected = "expected none, static, minilm, a model's folder, an http(s) address, or an encoder";

function checked(encoder: Encoder): Encoder {
  const given: Partial<Encoder> | null = encoder;
  if (typeof given?.encode === "function" && typeof given.name === "string" && Number.isSafeInteger(given.dimensions))
    return encoder;
  throw new SetwiseError("invalid-argument", `encoder has no name, dimensions and encode function; ${expected}.`);
}

let kept: Promise<Encoder> | undefined;

/** The table is read once in a process. */
export function staticEncoder(): Promise<Encoder> {
  return (kept ??= readStaticEncoder());
}

async function readStaticEncoder(): Promise<Encoder> {
  const [{ createStaticEncoder, readStaticModel }, { staticModelFolder }] = await Promise.all([
    import("@setwise/encoders/static"),
    import("@setwise/model-static"),
  ]);
  return createStaticEncoder(readStaticModel(staticModelFolder));
}

async function minilmEncoder(): Promise<Encoder> {
  const { createJointEncoder, createOnnxEncoder } = await import("@setwise/encoders");
  const { minilmModelFolder } = await importMinilm();
  return createJointEncoder([await createOnnxEncoder(minilmModelFolder), await staticEncoder()]);
}

async function importMinilm(): Promise<typeof import("@setwise/model-minilm")> {
  try {
    return await import("@setwise/model-minilm");
  } catch (cause) {
    throw new SetwiseError(
      "missing-dependency",
      "The encoder minilm needs two packages: npm install @setwise/model-minilm onnxruntime-node",
      { cause },
    );
  }
}
