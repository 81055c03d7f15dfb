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
import type { Constraints } from "./select-options.ts";
import type { SelectorSetting } from "./selector-setting.ts";

/** What there is to choose from for one query. */
export interface Found {
  /** In the order of the re-ranker, if there is one. */
  readonly retrieval: Retrieval;
  /** What the re-ranker did, if there is one and it had anything to put in order. */
  readonly reranking: Reranking | undefined;
  /** The vectors of the query, if there is an encoder. */
  readonly vectors: Float32Array | undefined;
}

/** Encodes the query, retrieves, and asks the re-ranker. */
export async function findCandidates(
  index: ToolIndex,
  query: string,
  { allowed, maxTools = 0, minTools }: Constraints,
  { encoder, reranker, signal }: Pick<SelectorSetting, "encoder" | "reranker"> & { signal: AbortSignal | undefined },
): Promise<Found> {
  const stop = signal === undefined ? {} : { signal };
  const vectors = encoder === undefined ? undefined : await encodeQuery(index, encoder, query, stop);
  const retrieval = retrieve(index, query, {
    k: Math.max(DEFAULT_CANDIDATES, maxTools, minTools),
    ...(vectors === undefined ? {} : { vectors }),
    ...(allowed === undefined ? {} : { allow: allowed }),
  });
  if (reranker === undefined || retrieval.ids.length === 0) return { retrieval, reranking: undefined, vectors };
  const scorer = await untilAborted(signal, () => reranker.scorer());
  const reranking = await rerank(index, query, retrieval, { scorer, ...stop });
  return { retrieval: reranking, reranking, vectors };
}
