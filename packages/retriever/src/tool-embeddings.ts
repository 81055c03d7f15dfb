import { type Encoder, SetwiseError, shownName } from "@setwise/core";
import { VectorIndex } from "@setwise/native";
import { isDimensions, MOST_DIMENSIONS } from "./check-index.ts";
import { embeddedText } from "./embedded-text.ts";
import type { ToolIndex } from "./tool-index.ts";
import { untilAborted } from "./until-aborted.ts";
import { wrongRow } from "./unit-rows.ts";

/** Texts between two reports of progress. */
const BATCH = 512;

/** What the tools of a catalog mean, by one encoder. */
export interface ToolEmbeddings {
  /** The encoder's name: vectors of another cannot be compared with these. */
  readonly encoder: string;
  readonly dimensions: number;
  /** Tools × dimensions, rows of length 1 (zeros for a tool without a known word). */
  readonly vectors: Float32Array;
}

export interface EmbedToolsOptions {
  /** An index whose tools were encoded before: where a text is the same, its vector is taken over. */
  readonly known?: ToolIndex | undefined;
  readonly signal?: AbortSignal;
  /** Told how many of the tools that have to be encoded are. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * The index with what its tools mean to `encoder`, so that {@link retrieve} finds tools by meaning as well.
 *
 * @throws SetwiseError `aborted`, what the encoder throws, and `invalid-argument` where its rows are not of length 1 or 0, or
 * its dimensions not 1 to 65,536.
 */
export async function embedTools(
  index: ToolIndex,
  encoder: Encoder,
  { known, signal, onProgress }: EmbedToolsOptions = {},
): Promise<ToolIndex> {
  const { tools } = index.catalog;
  const { dimensions } = encoder;
  if (!isDimensions(dimensions)) {
    throw new SetwiseError(
      "invalid-argument",
      `The encoder ${shownName(encoder.name)} must have 1 to ${MOST_DIMENSIONS} dimensions, but has ${String(dimensions)}.`,
    );
  }
  const vectors = new Float32Array(tools.length * dimensions);
  const rowOf = knownRows(known, encoder);
  const missing: { readonly text: string; readonly ordinal: number }[] = [];
  for (const [ordinal, tool] of tools.entries()) {
    const text = embeddedText(tool);
    const row = rowOf?.(text);
    if (row === undefined) missing.push({ text, ordinal });
    else vectors.set(row, ordinal * dimensions);
  }
  for (let start = 0; start < missing.length; start += BATCH) {
    const batch = missing.slice(start, start + BATCH);
    const rows = await encodeRows(
      encoder,
      batch.map(({ text }) => text),
      "document",
      signal,
    );
    for (const [row, { ordinal }] of batch.entries()) {
      vectors.set(rows.subarray(row * dimensions, (row + 1) * dimensions), ordinal * dimensions);
    }
    onProgress?.(Math.min(start + BATCH, missing.length), missing.length);
  }
  return Object.freeze({ ...index, embeddings: { encoder: encoder.name, dimensions, vectors } });
}

/** The vector of a text that the known index has by this encoder. */
function knownRows(
  known: ToolIndex | undefined,
  { name, dimensions }: Encoder,
): ((text: string) => Float32Array | undefined) | undefined {
  const embeddings = known?.embeddings;
  if (known === undefined || embeddings?.encoder !== name || embeddings.dimensions !== dimensions) return undefined;
  const ordinals = new Map(known.catalog.tools.map((tool, ordinal) => [embeddedText(tool), ordinal]));
  return (text) => {
    const ordinal = ordinals.get(text);
    return ordinal === undefined
      ? undefined
      : embeddings.vectors.subarray(ordinal * dimensions, (ordinal + 1) * dimensions);
  };
}

/** Encodes, and does not trust the encoder. */
export async function encodeRows(
  encoder: Encoder,
  texts: readonly string[],
  as: "query" | "document",
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  // Copied as soon as they are there: an encoder may use its memory again when it is asked anew.
  const rows = await untilAborted(signal, async () => {
    const given: unknown = await encoder.encode(texts, signal === undefined ? { as } : { as, signal });
    return given instanceof Float32Array ? new Float32Array(given) : given;
  });
  const expected = texts.length * encoder.dimensions;
  if (!(rows instanceof Float32Array) || rows.length !== expected) {
    const got = rows instanceof Float32Array ? `${rows.length} numbers` : typeof rows;
    throw new SetwiseError(
      "invalid-argument",
      `The encoder ${shownName(encoder.name)} must give ${texts.length} rows of ${encoder.dimensions} numbers, ${expected} in all, but gave ${got}.`,
    );
  }
  const wrong = wrongRow(rows, encoder.dimensions);
  if (wrong !== undefined) throw rowError(encoder, rows, wrong);
  return rows;
}

function rowError(
  { name, dimensions }: Encoder,
  rows: Float32Array,
  { row, length }: { readonly row: number; readonly length: number },
): SetwiseError {
  const unfit = rows.subarray(row * dimensions, (row + 1) * dimensions).find((value) => !Number.isFinite(value));
  const got = unfit === undefined ? `a row of length ${Number(length.toPrecision(4))}` : String(unfit);
  return new SetwiseError(
    "invalid-argument",
    `The encoder ${shownName(name)} gave ${got} for text ${row}; each row must be of length 1, or all zeros. Divide it by its length.`,
  );
}

const indexes = new WeakMap<ToolEmbeddings, VectorIndex>();

/** The rows as they are searched, made once. */
export function vectorsOf(embeddings: ToolEmbeddings): VectorIndex {
  let index = indexes.get(embeddings);
  if (index === undefined) {
    const { dimensions, vectors } = embeddings;
    index = new VectorIndex({ dimensions, vectors, precision: "int8" });
    indexes.set(embeddings, index);
  }
  return index;
}
