import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PairScorer } from "@setwise/core";
import { toolListText } from "@setwise/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCrossEncoder } from "../test/cross-encoder-folder.ts";
import { createSelector } from "./create-selector.ts";
import { loadSelector } from "./load-selector.ts";
import type { Selector } from "./selector.ts";

/** 25 real tools: enough that not all are handed over. */
const tools = [
  JSON.parse(toolListText("mcp/git.tools-list.json")),
  JSON.parse(toolListText("mcp/filesystem.tools-list.json")),
];
const query = "show the commit log of the repository";
const ids = ({ chosen }: { readonly chosen: readonly { readonly id: string }[] }): string[] =>
  chosen.map((tool) => tool.id);

let folder = "";
let model = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-reranker-"));
  model = await writeCrossEncoder(join(folder, "cross-encoder"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A scorer that likes texts with this word. */
const likes = (word: string): PairScorer => ({
  name: "mine",
  score: async (_, texts) => Float32Array.from(texts, (text) => Number(text.includes(word))),
});

describe("a re-ranker", () => {
  it("that scores one tool highest lifts it to the front, with the score of that place", async () => {
    const plain = await (await createSelector({ tools })).select(query, { k: 3 });
    const last = plain.candidates.at(-1)?.id ?? "";
    const selector = await createSelector({ tools, reranker: likes(last.replaceAll("_", " ")) });
    const { chosen, candidates } = await selector.select(query, { k: 3 });
    expect(chosen.map(({ id }) => id)).toEqual([last, ...ids(plain).slice(0, 2)]);
    expect(candidates.map(({ score }) => score)).toEqual(plain.candidates.map(({ score }) => score));
  });

  it("that is flat changes nothing: no candidate, no score, no size, no refusal", async () => {
    const [plain, flat] = [await createSelector({ tools }), await createSelector({ tools, reranker: likes("zorgle") })];
    for (const asked of [query, "read the file and commit it", "zorgle the quantum frobnicator"]) {
      const { explanation: _, ...expected } = await plain.select(asked);
      const { explanation: __, ...found } = await flat.select(asked);
      expect(found).toEqual(expected);
    }
  });

  it("is named with what it did in the reason of each tool, whose parts add up to its score", async () => {
    const selector = await createSelector({ tools, reranker: likes("git show") });
    const { explanation, chosen } = await selector.select(query, { k: 3 });
    expect(ids({ chosen })[0]).toBe("git_show");
    const [first] = explanation.children;
    expect(first?.sentence).toMatch(/^re-ranked, it comes from place \d+ to 1 \(1\.00 of 1 by mine\); [^;]+; /);
    for (const [place, tool] of chosen.entries()) {
      const parts = explanation.children[place]?.children ?? [];
      expect(parts.reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(tool.score, 4);
    }
  });

  it("obeys the constraints and leaves required tools in front", async () => {
    const selector = await createSelector({ tools, reranker: likes("git show") });
    const options = { require: ["git_add"], exclude: ["git_show"], k: 3 };
    const chosen = ids(await selector.select(query, options));
    expect(chosen[0]).toBe("git_add");
    expect(chosen).not.toContain("git_show");
  });

  it("keeps a tool named in the query among the candidates", async () => {
    const selector = await createSelector({ tools, reranker: likes("read") });
    const { candidates } = await selector.select("read the file, then git_log");
    expect(candidates.map(({ id }) => id)).toContain("git_log");
  });

  it("stays over an update and comes with a loaded index", async () => {
    const selector = await createSelector({ tools: tools[1], reranker: likes("git show") });
    await selector.update(tools);
    expect(ids(await selector.select(query, { k: 1 }))).toEqual(["git_show"]);
    const path = join(folder, "index");
    await selector.save(path);
    const loaded = await loadSelector(path, { reranker: likes("git init") });
    expect(ids(await loaded.select("start a repository", { k: 1 }))).toEqual(["git_init"]);
  });

  it("gets the signal of the call, which stops it even if it does not listen", async () => {
    const signals: unknown[] = [];
    const stop = new AbortController();
    const deaf: PairScorer = {
      name: "deaf",
      score: (_, __, options) => {
        signals.push(options?.signal);
        stop.abort();
        return new Promise(() => undefined);
      },
    };
    const selector = await createSelector({ tools, reranker: deaf });
    await expect(selector.select(query, { signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(signals).toEqual([stop.signal]);
  });

  it("that gives no number for each text is refused", async () => {
    const broken: PairScorer = { name: "broken", score: async () => new Float32Array([Number.NaN]) };
    const selector = await createSelector({ tools, reranker: broken });
    await expect(selector.select(query)).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

describe("the folder of a cross-encoder", () => {
  const tell = (selector: Selector): Promise<string[]> =>
    selector.select("put the changed files on stage", { k: 1 }).then(ids);

  it("is opened at the first select, orders the candidates by its own scores, and is closed with the selector", async () => {
    const { createCrossEncoder } = await import("@setwise/encoders");
    const selector = await createSelector({ tools, reranker: ` ${model} ` });
    const selection = await selector.select(query);
    const scorer = await createCrossEncoder(model);
    const { embeddedText } = await import("@setwise/retriever");
    const texts = selection.candidates.map(({ id }) => {
      const tool = selector.catalog.tools[selector.catalog.ordinalOf(id) ?? -1];
      return tool === undefined ? "" : embeddedText(tool);
    });
    const scores = [...(await scorer.score(query, texts))];
    await scorer.dispose();
    expect(scores.length).toBeGreaterThan(10);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    await selector.close();
    await expect(selector.select(query)).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringContaining("was closed"),
    });
    await selector.close();
  });

  it("tells by the problems that it did not read a tool's text to the end, once, since it was opened", async () => {
    // 600 words are more than the 512 tokens of the model.
    const long = { name: "long", description: "refund ".repeat(600), inputSchema: { type: "object" } };
    const selector = await createSelector({ tools: [tools, long], encoder: "none", reranker: model });
    await selector.select(query);
    expect(selector.problems).toEqual([]);
    for (const asked of ["refund", "refund it"]) await selector.select(asked, { k: 1 });
    expect(selector.problems).toEqual([
      { code: "text-cut", message: expect.stringMatching(/^cross-encoder:\S+ reads .* up to \d+ tokens/) },
    ]);
    await selector.close();
  });

  it("is opened once for several selects at the same time", async () => {
    const selector = await createSelector({ tools, reranker: model });
    const alone = await tell(selector);
    expect(await Promise.all([tell(selector), tell(selector)])).toEqual([alone, alone]);
    await selector.close();
  });

  it("that is not there, or holds another model, is an error of the first select, and of the next", async () => {
    const selector = await createSelector({ tools, reranker: join(folder, "nowhere") });
    for (const _ of [1, 2]) await expect(selector.select(query)).rejects.toMatchObject({ code: "unreadable-source" });
    await selector.close();
    const { minilmModelFolder } = await import("@setwise/model-minilm");
    const other = await createSelector({ tools, reranker: minilmModelFolder });
    await expect(other.select(query)).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

it.each([
  ["", /^reranker is empty; expected the folder/],
  [" \t", /is empty/],
  [null, /no name and score function/],
  [5, /no name and score function/],
  [{}, /no name and score function/],
  [{ name: "a" }, /no name and score function/],
  [{ name: 5, score: () => undefined }, /no name and score function/],
])("%j is refused as a re-ranker", async (reranker, message) => {
  await expect(createSelector({ tools, reranker: reranker as never })).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringMatching(message),
  });
});
