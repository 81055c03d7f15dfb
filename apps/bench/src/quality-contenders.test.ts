import type { LabelledQuery, PairScorer } from "@setwise/core";
import { toolListText } from "@setwise/testkit";
import { readTools } from "setwise";
import { expect, test } from "vitest";
import { encoderLevels } from "./levels.ts";
import { ours } from "./quality-contenders.ts";

const { tools } = readTools(JSON.parse(toolListText("mcp/git.tools-list.json")));
const query: LabelledQuery = { id: "1", query: "show the commit log", tools: [] };
const likes = (word: string): PairScorer => ({
  name: "own",
  score: async (_, texts) => Float32Array.from(texts, (text) => Number(text.includes(word))),
});

async function rankings(reranker: PairScorer | undefined): Promise<Map<string, readonly string[]>> {
  const contenders = ours((await encoderLevels(undefined)).slice(0, 2), reranker);
  const entries = contenders.map(async ({ name, open }) => {
    const answer = await open(tools);
    return [name, (await answer(query)).ranking] as const;
  });
  return new Map(await Promise.all(entries));
}

test("without a re-ranker there are the levels alone", async () => {
  expect([...(await rankings(undefined)).keys()]).toEqual(["none", "static"]);
});

test("with one each level has a row of its own, in which what the re-ranker likes comes first", async () => {
  const found = await rankings(likes("status"));
  expect([...found.keys()]).toEqual(["none", "none + rerank", "static", "static + rerank"]);
  expect(found.get("static")?.[0]).toBe("git_log");
  expect(found.get("static + rerank")?.[0]).toBe("git_status");
});

test("one that is flat changes no row", async () => {
  const found = await rankings(likes("zorgle"));
  for (const level of ["none", "static"]) expect(found.get(`${level} + rerank`)).toEqual(found.get(level));
});
