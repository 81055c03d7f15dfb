import type { Catalog } from "@setwise/core";
import type { ExactNames } from "./exact-names.ts";
import type { ResolvedLexicalOptions } from "./lexical-options.ts";
import type { ToolEmbeddings } from "./tool-embeddings.ts";

/**
 * Postings as columns: term t has the tools `ordinals[i]`, ascending, with `weights[i]`, for i from `offsets[t]` up to
 * `offsets[t + 1]`.
 */
export interface Postings {
  readonly offsets: Uint32Array;
  readonly ordinals: Uint32Array;
  readonly weights: Float32Array;
}

/** A catalog with all that a query needs precomputed: a query only adds numbers. Never changes; a new catalog is a new index. */
export interface ToolIndex {
  readonly catalog: Catalog;
  readonly options: ResolvedLexicalOptions;
  /** Stem to term. */
  readonly vocabulary: ReadonlyMap<string, number>;
  /** Inverse document frequency of each term. */
  readonly idf: Float32Array;
  /** Weight of a posting: what the term adds to the tool's BM25F score. */
  readonly text: Postings;
  /** Weight of a posting: the term's share (0..1, by idf) of the tool's name. */
  readonly names: Postings;
  readonly exactNames: ExactNames;
  /** What the tools mean, if an encoder was asked. */
  readonly embeddings?: ToolEmbeddings;
}
