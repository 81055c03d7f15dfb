import type { LabelledQuery, PairScorer, Tool } from "@setwise/core";
import { createCachedEncoder, createOnnxEncoder } from "@setwise/encoders";
import { dense, keywordMatcher, plainBm25, type Ranker } from "@setwise/evaluation";
import { minilmModelFolder } from "@setwise/model-minilm";
import { createSelector, selectorPipeline } from "setwise";
import type { EncoderLevel } from "./levels.ts";
import { reranked } from "./quality-names.ts";

/** A way to rank the tools of a list, opened over one. */
export interface Contender {
  readonly name: string;
  readonly open: (tools: readonly Tool[]) => Promise<(query: LabelledQuery) => Promise<Answer>>;
}

export interface Answer {
  readonly ranking: readonly string[];
  readonly selected?: readonly string[];
}

/** Setwise with its defaults, at every level, and each level with the re-ranker behind it, if there is one. */
export function ours(levels: readonly EncoderLevel[], reranker: PairScorer | undefined): Contender[] {
  return levels.flatMap(({ name, encoder = "none" }) => {
    const contender = (called: string, further: { readonly reranker?: PairScorer }): Contender => ({
      name: called,
      open: async (tools) =>
        selectorPipeline(await createSelector({ tools: tools.map((tool) => tool.original), encoder, ...further })),
    });
    const alone = contender(name, {});
    return reranker === undefined ? [alone] : [alone, contender(reranked(name), { reranker })];
  });
}

/** What people use today. */
export async function rivals(cache: string | undefined): Promise<Contender[]> {
  const transformer = await createOnnxEncoder(minilmModelFolder);
  const encoder = createCachedEncoder(transformer, cache === undefined ? {} : { file: `${cache}/` });
  const rival = (name: string, rank: (tools: readonly Tool[]) => Ranker | Promise<Ranker>): Contender => ({
    name,
    open: async (tools) => {
      const ranker = await rank(tools);
      return async ({ query }) => ({ ranking: await ranker(query) });
    },
  });
  return [
    rival("keywords", keywordMatcher),
    rival("BM25", plainBm25),
    rival("dense MiniLM", (tools) => dense(tools, encoder)),
  ];
}
