import type { Calibration, ForeignEvidence } from "@setwise/adaptive-k";
import { untilAborted } from "@setwise/core";
import {
  DEFAULT_CANDIDATES,
  encodeQuery,
  rerank,
  type Reranking,
  type Retrieval,
  retrieve,
  type ToolIndex,
} from "@setwise/retriever";
import { askModel, type ModelAnswer } from "./choose-by-model.ts";
import type { FittedModel } from "./open-set-model.ts";
import { foreignEvidence } from "./foreign-evidence.ts";
import { hasWords } from "./query-text.ts";
import type { Constraints } from "./select-options.ts";
import type { SelectorSetting } from "./selector-setting.ts";
import { NAMED_TOOLS } from "./set-query.ts";

/** What there is to choose from for one query. */
export interface Found {
  /** In the order of the set model or the re-ranker, if there is one. */
  readonly retrieval: Retrieval;
  /** What the re-ranker did, if there is one and it had anything to put in order. */
  readonly reranking: Reranking | undefined;
  /** What the set model says, if there is one. */
  readonly answer: ModelAnswer | undefined;
  /** The vectors of the query, if there is an encoder. */
  readonly vectors: Float32Array | undefined;
  /** How much nearer the query is to these tools than to foreign ones, if that is known. */
  readonly foreign: ForeignEvidence | undefined;
  /** The cosine of the nearest request that tools served, if a model remembers those. */
  readonly nearestLogged?: number;
  /** What a log says of sizes and refusals, if there is one. */
  readonly calibration: Calibration | undefined;
}

type Setting = Pick<SelectorSetting, "encoder" | "reranker"> & {
  readonly signal: AbortSignal | undefined;
  readonly model?: FittedModel | undefined;
  readonly calibration?: Calibration | undefined;
};

/** Encodes the query, retrieves, and asks the set model or the re-ranker; a query without words finds nothing and none of them is asked. */
export async function findCandidates(
  index: ToolIndex,
  query: string,
  constraints: Constraints,
  { encoder, reranker, signal, model, calibration }: Setting,
): Promise<Found> {
  const { allowed, maxTools = 0, minTools } = constraints;
  const scorer = model?.scorer;
  const stop = signal === undefined ? {} : { signal };
  const vectors =
    encoder === undefined || !hasWords(query) ? undefined : await encodeQuery(index, encoder, query, stop);
  const retrieval = retrieve(index, query, {
    k: Math.max(scorer === undefined ? DEFAULT_CANDIDATES : NAMED_TOOLS, maxTools, minTools),
    ...(vectors === undefined ? {} : { vectors }),
    ...(allowed === undefined ? {} : { allow: allowed }),
  });
  const foreign =
    encoder === undefined || vectors === undefined
      ? undefined
      : await foreignEvidence(index, encoder, { vectors, retrieval }, calibration);
  if (scorer !== undefined && vectors !== undefined) {
    const answer = await askModel(index, scorer, { text: query, constraints, retrieval, vectors });
    const logged = model?.nearestLogged?.(vectors.subarray(0, encoder?.dimensions));
    const near = logged === undefined ? {} : { nearestLogged: logged };
    return { retrieval: answer.retrieval, reranking: undefined, answer, vectors, foreign, calibration, ...near };
  }
  const found = { answer: undefined, vectors, foreign, calibration };
  if (reranker === undefined || retrieval.ids.length === 0) return { ...found, retrieval, reranking: undefined };
  const pairs = await untilAborted(signal, () => reranker.scorer());
  const reranking = await rerank(index, query, retrieval, { scorer: pairs, ...stop });
  return { ...found, retrieval: reranking, reranking };
}
