import { generateText, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSelector } from "../src/create-selector.ts";

const topics = ["weather", "parcel", "invoice", "refund", "calendar", "contact", "playlist", "ticket"];
/** 24 tools of the AI SDK: more than are handed over whole. */
const tools = Object.fromEntries(
  topics.flatMap((topic) =>
    ["find", "create", "delete"].map((verb) => [
      `${verb}_${topic}`,
      tool({
        description: `Use it to ${verb} a ${topic}.`,
        inputSchema: z.object({ id: z.string().describe(`The ${topic}`) }),
        execute: async ({ id }) => `${verb} ${topic} ${id}`,
      }),
    ]),
  ),
);

const finished = {
  content: [{ type: "text" as const, text: "done" }],
  finishReason: { unified: "stop" as const, raw: "stop" },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};

describe("with the AI SDK", () => {
  it("the chosen names are the active tools of a call", async () => {
    const offered: string[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: async (options) => {
        offered.push(...(options.tools ?? []).map((one) => one.name));
        return finished;
      },
    });
    const selector = await createSelector({ tools });
    const selection = await selector.select("delete the invoice", { goal: "balanced" });
    const activeTools = selection.chosen.map((one) => one.name);
    await generateText({ model, tools, activeTools, prompt: "delete the invoice" });
    expect(activeTools).toContain("delete_invoice");
    expect(offered.toSorted()).toEqual(activeTools.toSorted());
  });

  it("a selection is exported as the very tools, functions included", async () => {
    const selector = await createSelector({ tools });
    const selection = await selector.select("delete the invoice", { k: 1 });
    const { definitions } = selector.export(selection, "ai-sdk");
    expect(definitions["delete_invoice"]).toBe(tools["delete_invoice"]);
    expect(selection.tools[0]).toBe(tools["delete_invoice"]);
  });
});
