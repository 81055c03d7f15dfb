import { calibrate, hybridPrior } from "@setwise/adaptive-k";
import { createCatalog } from "@setwise/core";
import { buildIndex } from "@setwise/retriever";
import { shopCatalog, toolListText } from "@setwise/testkit";
import { describe, expect, it } from "vitest";
import { createSelector } from "./create-selector.ts";
import { missingWords } from "./missing-words.ts";

/** 25 real tools: enough that not all are handed over. */
const tools = ["mcp/git.tools-list.json", "mcp/filesystem.tools-list.json"].map(
  (file): unknown => JSON.parse(toolListText(file)) as unknown,
);
const foreign = "What is the weather in Paris tomorrow?";

describe("a request that no tool serves", () => {
  it("gets nothing, with the nearest tools and the words that no tool has", async () => {
    const selector = await createSelector({ tools });
    const selection = await selector.select(foreign);
    expect(selection).toMatchObject({ status: "nothing-fits", tools: [], k: 0 });
    expect(selection.candidates.length).toBeGreaterThan(0);
    expect(selection.missing).toEqual(["weather", "Paris", "tomorrow"]);
    expect(selection.explanation.sentence).toMatch(
      /^No tool: the probability that any fits is \d+ %, below 20 %\. No tool has the words weather, Paris, tomorrow\. The nearest is git_add\.$/,
    );
  });

  it("gets tools all the same where the caller asks for some", async () => {
    const selector = await createSelector({ tools });
    const selection = await selector.select(foreign, { minTools: 2 });
    expect(selection).toMatchObject({ status: "selected", k: 2, missing: [] });
  });

  it("is not one that tools serve in other words, or that names a tool", async () => {
    const selector = await createSelector({ tools });
    for (const query of ["what did I change since yesterday?", "git_status", "make a new folder for the photos"]) {
      expect((await selector.select(query)).status, query).toBe("selected");
    }
  });
});

describe("a calibrated selector", () => {
  it("has the sizes of the log", async () => {
    const query = "show the commit log of the repository";
    const scores = Float32Array.of(1, 0.8, 0.6, 0.5, 0.4, 0.3);
    const sizes = await Promise.all(
      [[0], [0, 1, 2, 3]].map(async (right) => {
        const log = Array.from({ length: 60 }, () => ({ scores, right, rightTools: right.length }));
        const calibration = calibrate(log, { prior: hybridPrior });
        const selector = await createSelector({ tools, calibration });
        return (await selector.select(query, { goal: "exact" })).k;
      }),
    );
    expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0);
  });
});

describe("missingWords", () => {
  it("tells the words as they stand in the query, each once, and none that says nothing", () => {
    const index = buildIndex(shopCatalog);
    expect(missingWords(index, "Please water the Begonias, begonias and ferns with orders")).toEqual([
      "water",
      "Begonias",
      "ferns",
    ]);
    expect(missingWords(index, "")).toEqual([]);
    expect(missingWords(buildIndex(createCatalog([])), "water")).toEqual(["water"]);
  });

  it("stops at ten", () => {
    const query = Array.from({ length: 40 }, (_, i) => `xq${String.fromCharCode(97 + (i % 26))}${"z".repeat(i)}`).join(
      " ",
    );
    expect(missingWords(buildIndex(shopCatalog), query)).toHaveLength(10);
  });
});
