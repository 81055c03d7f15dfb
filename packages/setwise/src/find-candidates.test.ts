import { createCatalog, type PairScorer } from "@setwise/core";
import { buildIndex } from "@setwise/retriever";
import { shopTools } from "@setwise/testkit";
import { expect, it } from "vitest";
import { findCandidates } from "./find-candidates.ts";
import { readConstraints } from "./select-options.ts";

const index = buildIndex(createCatalog(shopTools));
const constraints = readConstraints(index.catalog, {});
const close = async (): Promise<void> => undefined;

it("a signal stops a re-ranker that is still being opened", async () => {
  const stop = new AbortController();
  const scorer = (): Promise<PairScorer> => {
    stop.abort();
    return new Promise(() => undefined);
  };
  const setting = { encoder: undefined, reranker: { scorer, problems: [], close }, signal: stop.signal };
  await expect(findCandidates(index, "refund the order", constraints, setting)).rejects.toMatchObject({
    code: "aborted",
  });
});

it("a re-ranker is not opened where there is nothing to put in order", async () => {
  const scorer = (): Promise<PairScorer> => Promise.reject(new Error("opened"));
  const setting = { encoder: undefined, reranker: { scorer, problems: [], close }, signal: undefined };
  const { retrieval, reranking } = await findCandidates(index, "zorgle", constraints, setting);
  expect([retrieval.ids.length, reranking]).toEqual([0, undefined]);
  await expect(findCandidates(index, "refund the order", constraints, setting)).rejects.toThrow("opened");
});
