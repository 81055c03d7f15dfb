import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { SetwiseError } from "@setwise/core";
import { sortedVocabulary, type Vocabulary } from "./vocabulary.ts";

/** A vector for each token: row i, times scale i, is the vector of the vocabulary's token i. */
export interface StaticModel {
  /** Such as `minilm-256`. */
  readonly name: string;
  /** Eight hexadecimal digits of the SHA-256 of vocabulary, rows and scales. */
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly lowercase: boolean;
  readonly stripAccents: boolean;
  readonly vocabulary: Vocabulary;
  /** `vocabulary.size` × `dimensions`. */
  readonly rows: Int8Array;
  /** One a row. */
  readonly scales: Float32Array;
}

/** The files of a folder that holds a static model. */
const files = {
  config: "static-model.json",
  vocabulary: "vocabulary.txt",
  rows: "rows.i8.bin",
  scales: "scales.f32.bin",
};
const format = 1;
const largestDimensions = 4_096;

/**
 * Reads the static model of a folder, such as that of `@setwise/model-static`. Synchronous, since a process that is to
 * answer one query reads four small files faster so than by turns of the event loop.
 *
 * Fails with `unreadable-source` where a file is missing, `unsupported-version` where it was written by a later
 * version, `corrupt-file` where the files are cut short or do not fit each other.
 */
export function readStaticModel(folder: string): StaticModel {
  const config = parseConfig(read(folder, files.config).toString("utf8"), folder);
  const vocabulary = sortedVocabulary(read(folder, files.vocabulary).toString("utf8"));
  if (vocabulary === undefined) throw corrupt(folder, `${files.vocabulary} is empty or its last line is cut`);
  const rowBytes = read(folder, files.rows);
  const scaleBytes = read(folder, files.scales);
  expectSize(folder, files.rows, rowBytes.length, vocabulary.size * config.dimensions);
  expectSize(folder, files.scales, scaleBytes.length, vocabulary.size * 4);
  const rows = new Int8Array(rowBytes.buffer, rowBytes.byteOffset, rowBytes.length);
  const scales = littleEndianFloats(scaleBytes);
  return { ...config, vocabulary, rows, scales };
}

/**
 * Writes a table as a folder that {@link readStaticModel} reads: tokens are sorted, their rows with them. `tokens` must
 * not contain line feeds or repeat; `rows` is tokens × dimensions.
 */
export async function writeStaticModel(
  folder: string,
  table: Omit<StaticModel, "vocabulary" | "fingerprint"> & { readonly tokens: readonly string[] },
): Promise<void> {
  const { tokens, dimensions } = table;
  if (table.rows.length !== tokens.length * dimensions || table.scales.length !== tokens.length)
    throw new SetwiseError(
      "invalid-argument",
      `${tokens.length} tokens need as many rows of ${dimensions} and scales.`,
    );
  const order = [...tokens.keys()].sort((left, right) => ((tokens[left] ?? "") < (tokens[right] ?? "") ? -1 : 1));
  const sorted = order.map((token) => tokens[token] ?? "");
  if (sorted.some((token, index) => token === sorted[index - 1] || token === "" || token.includes("\n")))
    throw new SetwiseError("invalid-argument", "Tokens must differ, not be empty and hold no line feed.");
  const vocabulary = `${sorted.join("\n")}\n`;
  const rows = new Int8Array(table.rows.length);
  const scales = Buffer.alloc(tokens.length * 4);
  for (const [row, token] of order.entries()) {
    rows.set(table.rows.subarray(token * dimensions, (token + 1) * dimensions), row * dimensions);
    scales.writeFloatLE(table.scales[token] ?? 0, row * 4);
  }
  const fingerprint = createHash("sha256").update(vocabulary).update(rows).update(scales).digest("hex").slice(0, 8);
  const { name, lowercase, stripAccents } = table;
  const config = { format, name, fingerprint, dimensions, lowercase, stripAccents };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, files.rows), rows);
  await writeFile(join(folder, files.scales), scales);
  await writeFile(join(folder, files.vocabulary), vocabulary);
  await writeFile(join(folder, files.config), `${JSON.stringify(config, null, 2)}\n`);
}

type StaticModelConfig = Omit<StaticModel, "vocabulary" | "rows" | "scales">;

function parseConfig(text: string, folder: string): StaticModelConfig {
  let config: Record<string, unknown> | null = null;
  try {
    config = JSON.parse(text) as Record<string, unknown> | null;
  } catch (cause) {
    throw corrupt(folder, `${files.config} is not JSON`, cause);
  }
  const { name, fingerprint, dimensions, lowercase, stripAccents } = config ?? {};
  if (typeof config?.["format"] === "number" && config["format"] > format)
    throw new SetwiseError(
      "unsupported-version",
      `The static model in ${folder} has format ${config["format"]}; this version reads up to ${format}: update @setwise/encoders.`,
      { source: folder },
    );
  const numberOfDimensions = typeof dimensions === "number" && Number.isInteger(dimensions) ? dimensions : 0;
  if (config?.["format"] !== format || typeof name !== "string" || typeof fingerprint !== "string")
    throw corrupt(folder, `${files.config} lacks format, name or fingerprint`);
  if (numberOfDimensions < 1 || numberOfDimensions > largestDimensions)
    throw corrupt(folder, `dimensions in ${files.config} must be 1 to ${largestDimensions}`);
  return {
    name,
    fingerprint,
    dimensions: numberOfDimensions,
    lowercase: lowercase === true,
    stripAccents: stripAccents === true,
  };
}

function read(folder: string, file: string): Buffer {
  try {
    return readFileSync(join(folder, file));
  } catch (cause) {
    throw new SetwiseError(
      "unreadable-source",
      `${folder} is not the folder of a static model: ${file} cannot be read. Give the folder of @setwise/model-static or one that writeStaticModel wrote.`,
      { source: folder, cause },
    );
  }
}

function expectSize(folder: string, file: string, found: number, wanted: number): void {
  if (found !== wanted) throw corrupt(folder, `${file} has ${found} bytes where the vocabulary asks for ${wanted}`);
}

/** The floats of `bytes`, whatever the order of bytes of this machine. */
function littleEndianFloats(bytes: Buffer): Float32Array {
  const copy = Buffer.from(new Uint8Array(bytes).buffer);
  if (endianness() === "BE") copy.swap32();
  return new Float32Array(copy.buffer);
}

function corrupt(folder: string, what: string, cause?: unknown): SetwiseError {
  return new SetwiseError("corrupt-file", `The static model in ${folder} is damaged: ${what}. Install it again.`, {
    source: folder,
    cause,
  });
}
