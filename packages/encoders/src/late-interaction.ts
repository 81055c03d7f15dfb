import type { PairScorer } from "@setwise/core";
import { checkCount, checkTexts } from "./encoder-arguments.ts";
import type { OnnxEncoder } from "./onnx-encoder.ts";

export interface LateInteractionOptions {
  /** Bytes of token vectors kept for later queries, 64 MB by default; the oldest are forgotten first. */
  readonly maxBytes?: number;
}

/** About 2,500 tools of 60 tokens at 384 dimensions. */
const defaultMaxBytes = 64 * 1024 * 1024;

/** A text's token vectors, each with numbers of −127 to 127 and a scale of its own. */
interface QuantizedTokens {
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/**
 * A scorer that needs no weights but an encoder's: the mean over the query's tokens of the largest cosine to a token of
 * the text, from −1 to 1 (MaxSim; Khattab and Zaharia 2020, section 3.2, divided by the query's tokens). The texts'
 * token vectors are kept as 8-bit numbers, so that a text is encoded once. A query or text without any known token
 * scores 0.
 */
export function createLateInteraction(encoder: OnnxEncoder, options: LateInteractionOptions = {}): PairScorer {
  const { maxBytes = defaultMaxBytes } = options;
  checkCount("maxBytes", maxBytes, 0, Number.MAX_SAFE_INTEGER);
  const { dimensions } = encoder;
  const kept = new Map<string, QuantizedTokens>();
  let bytes = 0;

  const keep = (text: string, tokens: QuantizedTokens) => {
    const size = sizeOf(text, tokens);
    if (size > maxBytes || kept.has(text)) return;
    for (const [oldest, old] of kept) {
      if (bytes + size <= maxBytes) break;
      kept.delete(oldest);
      bytes -= sizeOf(oldest, old);
    }
    kept.set(text, tokens);
    bytes += size;
  };

  const score: PairScorer["score"] = async (query, texts, signalOptions = {}) => {
    checkTexts([query]);
    checkTexts(texts);
    const [queryTokens] = await encoder.encodeTokens([query], { ...signalOptions, as: "query" });
    const found = new Map(texts.flatMap((text) => (kept.has(text) ? [[text, kept.get(text)] as const] : [])));
    const missing = [...new Set(texts)].filter((text) => !found.has(text));
    const encoded = await encoder.encodeTokens(missing, { ...signalOptions, as: "document" });
    for (const [index, text] of missing.entries()) {
      const tokens = quantize(encoded[index] ?? new Float32Array(), dimensions);
      found.set(text, tokens);
      keep(text, tokens);
    }
    return Float32Array.from(texts, (text) => maxSim(queryTokens, found.get(text), dimensions));
  };
  return { name: `late-interaction:${encoder.name}`, score };
}

function sizeOf(text: string, { rows, scales }: QuantizedTokens): number {
  return text.length * 2 + rows.byteLength + scales.byteLength;
}

function quantize(vectors: Float32Array, dimensions: number): QuantizedTokens {
  const rows = new Int8Array(vectors.length);
  const scales = new Float32Array(vectors.length / dimensions);
  for (let token = 0; token < scales.length; token++) {
    const start = token * dimensions;
    let largest = 0;
    for (let index = start; index < start + dimensions; index++) largest = Math.max(largest, Math.abs(vectors[index]!));
    const scale = largest / 127;
    scales[token] = scale;
    if (scale > 0)
      for (let index = start; index < start + dimensions; index++) rows[index] = Math.round(vectors[index]! / scale);
  }
  return { rows, scales };
}

/** Σ over query tokens of the largest dot product to a token of the text, over the number of query tokens. */
function maxSim(query: Float32Array | undefined, text: QuantizedTokens | undefined, dimensions: number): number {
  if (query === undefined || text === undefined || query.length === 0 || text.rows.length === 0) return 0;
  let total = 0;
  let start = 0;
  for (; start + 4 * dimensions <= query.length; start += 4 * dimensions) total += bestOfFour(query, start, text);
  for (; start < query.length; start += dimensions) total += bestOfOne(query, start, text);
  return (total * dimensions) / query.length;
}

function bestOfOne(query: Float32Array, start: number, { rows, scales }: QuantizedTokens): number {
  const dimensions = rows.length / scales.length;
  let best = -Infinity;
  for (let token = 0; token < scales.length; token++) {
    const row = token * dimensions;
    let dot = 0;
    for (let index = 0; index < dimensions; index++) dot += query[start + index]! * rows[row + index]!;
    best = Math.max(best, dot * scales[token]!);
  }
  return best;
}

/** The same for four query tokens, their best added: each number of the text is read once for four products. */
function bestOfFour(query: Float32Array, start: number, { rows, scales }: QuantizedTokens): number {
  const dimensions = rows.length / scales.length;
  const [second, third, fourth] = [start + dimensions, start + 2 * dimensions, start + 3 * dimensions];
  let [bestA, bestB, bestC, bestD] = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (let token = 0; token < scales.length; token++) {
    const row = token * dimensions;
    const scale = scales[token]!;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let index = 0; index < dimensions; index++) {
      const value = rows[row + index]!;
      a += query[start + index]! * value;
      b += query[second + index]! * value;
      c += query[third + index]! * value;
      d += query[fourth + index]! * value;
    }
    bestA = Math.max(bestA, a * scale);
    bestB = Math.max(bestB, b * scale);
    bestC = Math.max(bestC, c * scale);
    bestD = Math.max(bestD, d * scale);
  }
  return bestA + bestB + bestC + bestD;
}
