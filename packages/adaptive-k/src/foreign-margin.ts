import { VectorIndex } from "@setwise/native";

/*
 * A cosine says little by itself, as some texts are near to everything; a query that is nearer to strangers than to the tools at hand asks for something else.
 *
 * margin = (cos₁ − f) + ρ · a + n / (n + κ) · (m − m_f)
 *
 * cos₁ is the best tool's cosine and f the mean of the five largest of foreign tools: one alone may be near by chance. A foreign tool that does what one of the
 * caller's does says nothing against them, so a, the mean of these five foreign tools' largest cosines with the caller's, is put back in part. m and m_f are the mean cosines of all tools at hand and of all foreign
 * ones: what the caller's tools are about. Of few tools the mean is hardly more than the best again, so it counts by their number n.
 */

/** The tools at hand, as foreign ones are compared with them; what is found out is kept by this object. */
export interface OwnTools {
  readonly tools: number;
  /** The mean cosine of all tools with the first row of `vectors`. */
  meanCosine(vectors: Float32Array): number;
  /** The largest cosine of a tool with each row. */
  largestCosines(rows: Float32Array): Float32Array;
}

/**
 * How much nearer a query is to the tools at hand than to foreign ones, in cosines.
 *
 * @param vectors The query's vectors, of which the first is of the whole query.
 * @param bestCosine The largest cosine of a tool at hand.
 */
export type ForeignMargin = (vectors: Float32Array, bestCosine: number, own: OwnTools) => number;

const NEAREST = 5;
/** ρ */
const LIKE_OWN = 0.15;
/** κ */
const FEW_TOOLS = 10;

/** {@link ForeignMargin} by the vectors of foreign tools, rows of signed bytes. */
export function foreignMargin(bytes: Uint8Array, dimensions: number): ForeignMargin {
  const rows = unitRows(bytes, dimensions);
  const index = new VectorIndex({ dimensions, vectors: rows, precision: "int8" });
  const foreignTools = rows.length / dimensions;
  const foreignMean = new Float64Array(dimensions);
  for (let at = 0; at < rows.length; at++) foreignMean[at % dimensions]! += rows[at]! / foreignTools;
  const rowOf = (tool: number): Float32Array => rows.subarray(tool * dimensions, (tool + 1) * dimensions);
  const likeOwn = new WeakMap<OwnTools, Float32Array>();
  /** By foreign tool, the largest cosine of a tool at hand, for those asked about at least: each is looked for when it is needed first. */
  const alike = (own: OwnTools, foreign: Uint32Array): Float32Array => {
    let found = likeOwn.get(own);
    if (found === undefined) {
      found = new Float32Array(foreignTools).fill(Number.NaN);
      likeOwn.set(own, found);
    }
    const missing = foreign.filter((tool) => Number.isNaN(found[tool]));
    if (missing.length > 0) {
      const asked = new Float32Array(missing.length * dimensions);
      for (const [place, tool] of missing.entries()) asked.set(rowOf(tool), place * dimensions);
      for (const [place, cosine] of own.largestCosines(asked).entries()) found[missing[place]!] = cosine;
    }
    return found;
  };
  return (vectors, bestCosine, own) => {
    const { ids, scores } = index.search(vectors.subarray(0, dimensions), NEAREST);
    const nearest = scores.reduce((sum, score) => sum + Math.max(0, score), 0) / NEAREST;
    const likeOwnTools = alike(own, ids);
    const likeNearest = ids.reduce((sum, foreign) => sum + likeOwnTools[foreign]!, 0) / NEAREST;
    const onAverage = foreignMean.reduce((sum, value, i) => sum + value * vectors[i]!, 0);
    const byNumber = own.tools / (own.tools + FEW_TOOLS);
    return bestCosine - nearest + LIKE_OWN * likeNearest + byNumber * (own.meanCosine(vectors) - onAverage);
  };
}

/** Rows of signed bytes as vectors of length 1. */
function unitRows(bytes: Uint8Array, dimensions: number): Float32Array {
  const rows = Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  for (let at = 0; at < rows.length; at += dimensions) {
    const row = rows.subarray(at, at + dimensions);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let i = 0; i < dimensions; i++) row[i] = (row[i] ?? 0) / length;
  }
  return rows;
}
