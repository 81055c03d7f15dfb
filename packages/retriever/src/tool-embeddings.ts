import {
  checkEncoderRows,
  type Encoder,
  isDimensions,
  MOST_DIMENSIONS,
  SetwiseError,
  shownName,
  untilAborted,
} from "@setwise/core";
import { VectorIndex } from "@setwise/native";
import { embeddedText } from "./embedded-text.ts";
import { ownCopy } from "./own-copy.ts";
import type { ToolIndex } from "./tool-index.ts";

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
  const rows = await untilAborted(signal, async () =>
    ownCopy(await encoder.encode(texts, signal === undefined ? { as } : { as, signal })),
  );
  checkEncoderRows(rows, texts.length, encoder);
  return rows;
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
