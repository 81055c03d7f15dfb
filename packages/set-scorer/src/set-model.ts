import { createHash } from "node:crypto";
import type { Tool } from "@setwise/core";
import type { KnownSets } from "./known-sets.ts";

/** A tool that a model knows. */
export interface SetModelTool {
  readonly id: string;
  /** {@link toolHash} of what it was when the model learned of it. */
  readonly hash: string;
  /** Its row of Z comes from its text, since training did not see it. */
  readonly isNew?: true;
}

/** A score of (query, tool) that comes from outside the model, 0 where it is not given, and what it counts. */
export interface SetModelFeature {
  readonly name: string;
  readonly weight: number;
}

/** What makes probabilities of scores; see `set-scorer.ts`. */
export interface SetCalibration {
  /** What a tool's log probability counts. */
  readonly matchScale: number;
  /** What M counts. */
  readonly pairScale: number;
  /** What co-use counts. */
  readonly coUseScale: number;
  /** What it counts that a set was logged before. */
  readonly knownSetScale: number;
  /** c_1 … c_M. */
  readonly sizeOffsets: readonly number[];
  /** β_1 … β_M, what one more request adds to the offset of each size. */
  readonly requestSlopes: readonly number[];
  /** c_0, where the log had requests that no tool serves. */
  readonly emptyScore: number | undefined;
}

/** One row of figures over development queries, shares in 0..1. */
export interface RankingFigures {
  readonly recall3: number;
  readonly ndcg3: number;
  readonly completeness3: number;
  readonly recall5: number;
  readonly completeness5: number;
  /** Share of queries whose best set is the right one; `undefined` where no sets were asked for. */
  readonly exact?: number;
}

/** Where a model comes from. */
export interface SetModelFacts {
  /** Of the catalog it was trained for. */
  readonly catalogRevision: string;
  /** SHA-256 over the queries and sets it learned from, in order. */
  readonly trainingDataHash: string;
  readonly queries: number;
  readonly developmentQueries: number;
  /** What was measured on the development queries. */
  readonly development: {
    readonly untrained: RankingFigures;
    readonly model: RankingFigures;
    /** Expected calibration error of P(t ∈ E). */
    readonly calibrationError: number;
    /** There was no query to measure on: the numbers above say nothing. */
    readonly measured?: false;
  };
  readonly seed: number;
  /** What the caller says of the log's licence. */
  readonly licence?: string;
}

/** Which tools a query calls for, and which go together, as learned from a log. Arrays are row by row and never changed. */
export interface SetModel {
  /** The name of the encoder whose vectors it reads. */
  readonly encoder: string;
  /** d_r. */
  readonly queryDimensions: number;
  /** d_z; 0 where the match was not worth learning, and features alone rank. */
  readonly toolDimensions: number;
  /** M. */
  readonly maxSize: number;
  readonly tools: readonly SetModelTool[];
  /** Z, N × d_z. */
  readonly embeddings: Float32Array;
  /** P, d_r × d_z, with the scale of the logits. */
  readonly projection: Float32Array;
  /** d_r × d_z: from the text's vector of a tool that the model does not know to its row of Z; see `text-rows.ts`. */
  readonly textProjection: Float32Array;
  /** M_2 … M_M, (M − 1) × d_z × d_z, symmetric; empty where pairs were not worth learning. */
  readonly interactions: Float32Array;
  /** Pairs of tools that were in one set of the log, one after the other, and how much more often than by chance; see `co-use.ts`. */
  readonly coUse: { readonly pairs: Uint32Array; readonly values: Float32Array };
  /** Sets of the log, and ln(1 + n) of how often each was there; see `known-sets.ts`. */
  readonly knownSets: KnownSets;
  /** Vectors of requests that it learned from, n × d_r, by which it sees how far a new one is from them; see `logged-queries.ts`. */
  readonly loggedQueries: Float32Array;
  readonly features: readonly SetModelFeature[];
  readonly calibration: SetCalibration;
  readonly facts: SetModelFacts;
  /** What the pipeline that asks the model keeps with it, as JSON: written and read as it is, and looked at by that pipeline only. */
  readonly pipeline?: unknown;
}

/** What a tool does, without its name: a renamed tool has the same, one whose description or arguments changed another. */
export function toolHash({ description, inputSchema }: Tool): string {
  return createHash("sha256").update(JSON.stringify({ description, inputSchema })).digest("hex").slice(0, 32);
}
