import { describe, expect, it } from "vitest";
import { measure, type PipelineAnswer } from "./measure.ts";

const toolIds = ["a", "b"];
const good: PipelineAnswer = { ranking: ["a", "b"], selected: ["a"], tokens: { before: 2, after: 1 } };
const query = { id: "q", query: "one", tools: ["a"] };

describe("measure", () => {
  it("takes a stream of queries as well as a list", async () => {
    async function* stream(): AsyncGenerator<typeof query> {
      yield query;
      yield { ...query, id: "r" };
    }
    const totals: number[] = [];
    const { results } = await measure(() => good, stream(), {
      toolIds,
      onProgress: (_done, total) => totals.push(total),
    });
    expect(results.map(({ id }) => id)).toEqual(["q", "r"]);
    expect(totals).toEqual([Infinity, Infinity]);
  });

  it("counts a gold tool that a query names twice once", async () => {
    const { results, unknownGold } = await measure(() => good, [{ ...query, tools: ["a", "a", "x", "x"] }], {
      toolIds,
    });
    expect(results[0]).toMatchObject({ goldSize: 1, set: { exactMatch: 1 } });
    expect(unknownGold).toBe(1);
  });

  it("asks the chooser outside of the time it counts, and prefers what a log says was called", async () => {
    let time = 0;
    const chooser = (): readonly string[] => {
      time += 1000;
      return ["a"];
    };
    const now = (): number => (time += 1);
    const asked = await measure(() => good, [query], { toolIds, now, chooser });
    expect(asked.results[0]).toMatchObject({ latencyMs: 1, correctSelection: 1 });
    const logged = await measure(() => ({ ...good, called: ["b"] }), [query], { toolIds, chooser });
    expect(logged.results[0]?.correctSelection).toBe(0);
  });

  it("offers the chooser what was selected, or the first k of the ranking", async () => {
    const offers: (readonly string[])[] = [];
    const chooser = (_query: unknown, offered: readonly string[]): readonly string[] => {
      offers.push(offered);
      return offered;
    };
    await measure(() => good, [query], { toolIds, chooser });
    const both = await measure(() => good, [query], { toolIds, chooser, chooserK: 2 });
    expect(offers).toEqual([["a"], ["a", "b"]]);
    expect(both.results[0]?.correctSelection).toBe(0);
  });

  it.each([
    ["nothing", undefined, /it is undefined/],
    ["a ranking that is no list", { ...good, ranking: "a" }, /ranking is not a list/],
    ["a selection of numbers", { ...good, selected: [1] }, /selected is not a list/],
    ["tokens that are NaN", { ...good, tokens: { before: 1, after: Number.NaN } }, /not a finite number/],
    ["a probability above 1", { ...good, probabilities: new Map([["a", 1.5]]) }, /the probability of "a" is 1\.5/],
    ["probabilities that are no map", { ...good, probabilities: { a: 1 } }, /not a Map/],
  ])("refuses %s as an answer", async (_what, answer, message) => {
    const running = measure(() => answer as unknown as PipelineAnswer, [query], { toolIds });
    await expect(running).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(running).rejects.toThrow(message);
  });

  it("does not wait for a pipeline that hangs once it was told to stop", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const hanging = measure(() => new Promise<never>(() => {}), [query], { toolIds, signal: controller.signal });
    await expect(hanging).rejects.toMatchObject({ code: "aborted" });
  });
});
