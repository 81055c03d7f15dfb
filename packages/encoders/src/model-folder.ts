import { readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { SetwiseError } from "@setwise/core";
import { checkModelFile } from "./model-file.ts";
import { type Pooling, poolings } from "./pooling.ts";

/** What the files of a sentence-transformers or transformers export say of the model. */
export interface ModelFolder {
  readonly folder: string;
  /** The folder's own name, blanks replaced. */
  readonly name: string;
  /** The ONNX file. */
  readonly modelFile: string;
  /** `tokenizer.json`, as it stands and parsed. */
  readonly tokenizerText: string;
  readonly tokenizer: Json;
  /** The parsed `tokenizer_config.json`. */
  readonly tokenizerConfig: Json;
  /** Tokens the model was made for, marks included. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Modules after pooling that change the vector other than in length, such as `Dense`. */
  readonly furtherModules: readonly string[];
  /** Put before a text of that side. */
  readonly prompts: { readonly query: string; readonly document: string };
}

export type Json = Readonly<Record<string, unknown>>;

/** Looked for in this order; whole precision first, since who has both and wants the other says so with `file`. */
const modelFiles = ["model.onnx", "onnx/model.onnx", "model.int8.onnx", "model_quantized.onnx"];
const quantizedFiles = ["onnx/model_quantized.onnx", "onnx/model_int8.onnx", "onnx/model_qint8_avx512_vnni.onnx"];
/** Where no file says it: what BERT and most of its kin were trained with. */
const usualTokens = 512;
/** Numbers above stand for "no limit" in tokenizer_config.json. */
const unlimited = 1_000_000;
/** Two letters or more, so that a Windows drive is none. */
const addressStart = /^\s*[a-z][a-z\d+.-]+:\/\//i;
const harmlessModules = new Set(["Transformer", "Pooling", "Normalize", "Dropout"]);

/**
 * Reads the description of a model from `folder`; `file` names the ONNX file where several are there.
 *
 * Fails with `unreadable-source` where folder, model or tokenizer is missing or no regular file, `too-large` where a file of JSON
 * has more than 128 MB, `corrupt-file` where it is not JSON, `invalid-argument` for an address (which is not shown: it may hold a
 * password) and where the configuration asks for a pooling that is not known.
 */
export async function readModelFolder(folder: string, file?: string): Promise<ModelFolder> {
  if (typeof folder !== "string" || folder === "")
    throw new SetwiseError("invalid-argument", `folder must be the path of a model's folder; got ${typeof folder}.`);
  if (addressStart.test(folder))
    throw new SetwiseError(
      "invalid-argument",
      "folder must be the path of a model's folder, but it is an address. Of addresses only those of embedding servers can be used, which begin with http:// or https:// and no blank.",
    );
  await checkFolder(folder);
  const modules = await readModules(folder);
  const inner = join(folder, modules.find(({ kind }) => kind === "Transformer")?.path ?? "");
  const modelFile = await findModel(folder, file);
  const tokenizerText = (await readText(inner, "tokenizer.json")) ?? (await readText(folder, "tokenizer.json"));
  if (tokenizerText === undefined)
    throw new SetwiseError(
      "unreadable-source",
      `${folder} has no tokenizer.json. Export the model with its tokenizer (optimum-cli export onnx does).`,
      { source: folder },
    );
  const tokenizerConfig = (await readJson(inner, "tokenizer_config.json")) ?? {};
  const config = (await readJson(inner, "config.json")) ?? {};
  const sentence = (await readJson(inner, "sentence_bert_config.json")) ?? {};
  const lengths = [sentence["max_seq_length"], config["max_position_embeddings"], tokenizerConfig["model_max_length"]];
  const sound = lengths.filter((length): length is number => Number.isInteger(length) && Number(length) > 2);
  const limits = sound.filter((length) => length < unlimited);
  const poolingPath = modules.find(({ kind }) => kind === "Pooling")?.path ?? "1_Pooling";
  return {
    folder,
    name: basename(resolve(folder)).replaceAll(/\s+/g, "-"),
    modelFile,
    tokenizerText,
    tokenizer: parseJson(tokenizerText, join(inner, "tokenizer.json")),
    tokenizerConfig,
    maxTokens: limits.length === 0 ? usualTokens : Math.min(...limits),
    pooling: poolingOf((await readJson(join(folder, poolingPath), "config.json")) ?? {}, folder),
    furtherModules: modules.map(({ kind }) => kind).filter((kind) => !harmlessModules.has(kind)),
    prompts: promptsOf((await readJson(folder, "config_sentence_transformers.json")) ?? {}),
  };
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  const what = found === undefined ? `There is no folder ${folder}. Expected` : `${folder} is no folder; expected`;
  throw new SetwiseError(
    "unreadable-source",
    `${what} one with an ONNX model (such as model.onnx) and tokenizer.json.`,
    { source: folder },
  );
}

async function findModel(folder: string, file: string | undefined): Promise<string> {
  const names = file === undefined ? [...modelFiles, ...quantizedFiles] : [file];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() === true) return join(folder, name);
  }
  throw new SetwiseError(
    "unreadable-source",
    `${folder} has no ${file ?? "ONNX model (looked for model.onnx, onnx/model.onnx, model.int8.onnx and quantized kin)"}. Give the folder of an ONNX export, and the option file where the model has another name.`,
    { source: folder },
  );
}

/** The parsed object in `file`, or `undefined` where there is no such file. */
async function readJson(folder: string, file: string): Promise<Json | undefined> {
  const text = await readText(folder, file);
  return text === undefined ? undefined : parseJson(text, join(folder, file));
}

async function readText(folder: string, file: string): Promise<string | undefined> {
  const path = join(folder, file);
  try {
    checkModelFile(path, await stat(path));
    return await readFile(path, "utf8");
  } catch (cause) {
    if (SetwiseError.isInstance(cause)) throw cause;
    if (["ENOENT", "ENOTDIR"].includes(String((cause as { code?: unknown }).code))) return undefined;
    throw new SetwiseError("unreadable-source", `${path} cannot be read.`, { source: path, cause });
  }
}

function parseJson(text: string, path: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Json;
  } catch (cause) {
    throw new SetwiseError("corrupt-file", `${path} is not JSON: it is cut short or damaged. Get the file again.`, {
      source: path,
      cause,
    });
  }
  throw new SetwiseError("corrupt-file", `${path} holds no JSON object. Get the file again.`, { source: path });
}

async function readModules(folder: string): Promise<readonly { readonly kind: string; readonly path: string }[]> {
  const modules = await readJson(folder, "modules.json");
  return Object.values(modules ?? {}).map((module) => {
    const { type, path } = (module ?? {}) as Json;
    return { kind: String(type).split(".").at(-1) ?? "", path: typeof path === "string" ? path : "" };
  });
}

/** `pooling_mode: "mean"` as newer versions write it, or `pooling_mode_mean_tokens: true`; mean where nothing is said. */
function poolingOf(config: Json, folder: string): Pooling {
  const named = config["pooling_mode"];
  const modes = Object.keys(config)
    .filter((key) => key.startsWith("pooling_mode_") && config[key] === true)
    .map((key) => key.slice("pooling_mode_".length).replace(/_token(s)?$/, ""));
  const [mode = "mean", ...others] =
    typeof named === "string" ? [named] : modes.map((name) => name.replace("mean_sqrt_len_tokens", "mean_sqrt_len"));
  const known = poolings.find((pooling) => pooling === mode);
  if (known === undefined || others.length > 0 || config["include_prompt"] === false)
    throw new SetwiseError(
      "invalid-argument",
      `${folder} asks for pooling by ${[mode, ...others].join(" and ")}${config["include_prompt"] === false ? " without the prompt" : ""}; known are ${poolings.join(", ")}, one at a time. Export the model with the output sentence_embedding.`,
      { source: folder },
    );
  return known;
}

/** The prompts of both sides as sentence-transformers looks for them, or the default one. */
function promptsOf(config: Json): ModelFolder["prompts"] {
  const prompts = (config["prompts"] ?? {}) as Json;
  const usual = config["default_prompt_name"];
  const first = (names: readonly unknown[]) =>
    names.map((name) => prompts[String(name)]).find((prompt) => typeof prompt === "string") ?? "";
  const text = (names: readonly unknown[]) => String(first(names));
  return { query: text(["query", usual]), document: text(["document", "passage", "corpus", usual]) };
}
