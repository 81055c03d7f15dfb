import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { join } from "node:path";
import { SetwiseError } from "@setwise/core";
import { checkModelFile } from "./model-file.ts";
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
export const staticModelFiles = {
  config: "static-model.json",
  vocabulary: "vocabulary.txt",
  rows: "rows.i8.bin",
  scales: "scales.f32.bin",
};
export const staticModelFormat = 1;
const largestDimensions = 4_096;

/**
 * Reads the static model of a folder, such as that of `@setwise/model-static`. Synchronous, since a process that is to
 * answer one query reads four small files faster so than by turns of the event loop.
 *
 * Fails with `unreadable-source` where a file is missing or no regular file, `unsupported-version` where it was written by a
 * later version, `too-large` where a text has more than 128 MB, `corrupt-file` where the files are cut short, do not fit each other
 * or are not those of the fingerprint: vectors made from them would be kept under the name of the sound ones.
 */
export function readStaticModel(folder: string): StaticModel {
  const { pieceCounts, ...config } = parseConfig(read(folder, staticModelFiles.config).toString("utf8"), folder);
  const vocabularyBytes = read(folder, staticModelFiles.vocabulary);
  const vocabulary = sortedVocabulary(vocabularyBytes.toString("utf8"), pieceCounts);
  if (vocabulary === undefined)
    throw corrupt(folder, `${staticModelFiles.vocabulary} has not the length that pieceCounts says`);
  const rowBytes = read(folder, staticModelFiles.rows, vocabulary.size * config.dimensions);
  const scaleBytes = read(folder, staticModelFiles.scales, vocabulary.size * 4);
  if (fingerprintOf(vocabularyBytes, rowBytes, scaleBytes) !== config.fingerprint)
    throw corrupt(folder, `its files are not those of the fingerprint in ${staticModelFiles.config}`);
  const rows = new Int8Array(rowBytes.buffer, rowBytes.byteOffset, rowBytes.length);
  const scales = littleEndianFloats(scaleBytes);
  return { ...config, vocabulary, rows, scales };
}

/** Eight hexadecimal digits of the SHA-256 of the three files, one after the other. */
export function fingerprintOf(vocabulary: string | Uint8Array, rows: Uint8Array, scales: Uint8Array): string {
  return createHash("sha256").update(vocabulary).update(rows).update(scales).digest("hex").slice(0, 8);
}

/** What `static-model.json` says; `pieceCounts` is how many pieces of the vocabulary have length 1, 2, … */
type StaticModelConfig = Omit<StaticModel, "vocabulary" | "rows" | "scales"> & {
  readonly pieceCounts: readonly number[];
};

function parseConfig(text: string, folder: string): StaticModelConfig {
  let config: Record<string, unknown> | null = null;
  try {
    config = JSON.parse(text) as Record<string, unknown> | null;
  } catch (cause) {
    throw corrupt(folder, `${staticModelFiles.config} is not JSON`, cause);
  }
  const { name, fingerprint, dimensions, lowercase, stripAccents, pieceCounts } = config ?? {};
  if (typeof config?.["format"] === "number" && config["format"] > staticModelFormat)
    throw new SetwiseError(
      "unsupported-version",
      `The static model in ${folder} has format ${config["format"]}; this version reads up to ${staticModelFormat}: update @setwise/encoders.`,
      { source: folder },
    );
  const numberOfDimensions = typeof dimensions === "number" && Number.isInteger(dimensions) ? dimensions : 0;
  if (config?.["format"] !== staticModelFormat || typeof name !== "string" || typeof fingerprint !== "string")
    throw corrupt(folder, `${staticModelFiles.config} lacks format, name or fingerprint`);
  if (numberOfDimensions < 1 || numberOfDimensions > largestDimensions)
    throw corrupt(folder, `dimensions in ${staticModelFiles.config} must be 1 to ${largestDimensions}`);
  if (!Array.isArray(pieceCounts) || !pieceCounts.every((count) => Number.isInteger(count) && count >= 0))
    throw corrupt(folder, `pieceCounts in ${staticModelFiles.config} must be a list of whole numbers`);
  return {
    name,
    fingerprint,
    pieceCounts: pieceCounts as readonly number[],
    dimensions: numberOfDimensions,
    lowercase: lowercase === true,
    stripAccents: stripAccents === true,
  };
}

/** The bytes of a file, which must be `wanted` where that is known. */
function read(folder: string, file: string, wanted?: number): Buffer {
  const path = join(folder, file);
  try {
    const found = statSync(path);
    checkModelFile(path, found, wanted === undefined ? undefined : Infinity);
    if (wanted !== undefined && found.size !== wanted)
      throw corrupt(folder, `${file} has ${found.size} bytes where the vocabulary asks for ${wanted}`);
    return readFileSync(path);
  } catch (cause) {
    if (SetwiseError.isInstance(cause)) throw cause;
    throw new SetwiseError(
      "unreadable-source",
      `${folder} is not the folder of a static model: ${file} cannot be read. Give the folder of @setwise/model-static or one that writeStaticModel wrote.`,
      { source: folder, cause },
    );
  }
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
