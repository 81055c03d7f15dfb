import { createCatalog, type LanguageModel } from "@setwise/core";
import { shopTools } from "@setwise/testkit";
import { describe, expect, it } from "vitest";
import { correctSelection, modelChooser } from "./correct-selection.ts";

const catalog = createCatalog(shopTools);
const [first, second, third] = catalog.tools.map((tool) => tool.id) as [string, string, string];
const query = { id: "1", query: "where is it", tools: [second] };

function modelThatSays(text: string, seen: string[] = []): LanguageModel {
  return {
    name: "by hand",
    generate: async (prompt) => {
      seen.push(prompt);
      return text;
    },
  };
}

describe("correctSelection", () => {
  it("wants exactly the right tools, in any order", () => {
    expect(correctSelection(["b", "a", "a"], ["a", "b"])).toBe(1);
    expect(correctSelection(["a"], ["a", "b"])).toBe(0);
    expect(correctSelection(["a", "b", "c"], ["a", "b"])).toBe(0);
    expect(correctSelection([], [])).toBe(1);
  });
});

describe("modelChooser", () => {
  it("shows the tools on offer by number and reads numbers back", async () => {
    const seen: string[] = [];
    const chooser = modelChooser(modelThatSays("[2]", seen), catalog);
    expect(await chooser(query, [first, second])).toEqual([second]);
    expect(seen[0]).toContain(`2. ${catalog.tools[1]?.name}:`);
    expect(seen[0]).toContain("Request: where is it");
    expect(seen[0]).not.toContain(`${catalog.tools[2]?.name}:`);
  });

  it("takes the last list a model writes, and drops numbers that were not on offer", async () => {
    const chooser = modelChooser(modelThatSays("At first [1, 2], but then: [3, 9, 3]"), catalog);
    expect(await chooser(query, [first, second, third])).toEqual([third]);
  });

  it("picks nothing when the answer holds no list", async () => {
    expect(await modelChooser(modelThatSays("I cannot say."), catalog)(query, [first])).toEqual([]);
    expect(await modelChooser(modelThatSays(undefined as unknown as string), catalog)(query, [first])).toEqual([]);
  });

  it("is not asked when nothing is on offer", async () => {
    const seen: string[] = [];
    expect(await modelChooser(modelThatSays("[1]", seen), catalog)(query, [])).toEqual([]);
    expect(seen).toEqual([]);
  });

  it("does not wait for a model that hangs, and tells it to stop", async () => {
    let stopped = false;
    const hanging: LanguageModel = {
      name: "hanging",
      generate: (_prompt, options) =>
        new Promise(() => {
          options?.signal?.addEventListener("abort", () => (stopped = true));
        }),
    };
    const chooser = modelChooser(hanging, catalog, { timeoutMs: 5 });
    await expect(chooser(query, [first])).rejects.toMatchObject({ code: "timeout", source: "hanging" });
    expect(stopped).toBe(true);
  });
});
