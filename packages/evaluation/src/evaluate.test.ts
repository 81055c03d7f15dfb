import { SetwiseError } from "@setwise/core";
import { describe, expect, it } from "vitest";
import { evaluate } from "./evaluate.ts";
import type { PipelineAnswer } from "./measure.ts";

const toolIds = ["a", "b", "c", "d"];
const answers: Record<string, PipelineAnswer> = {
  first: { ranking: ["a", "b", "c", "d"], selected: ["a", "b"], tokens: { before: 100, after: 50 } },
  second: { ranking: ["a", "b", "c", "d"], selected: ["a"], tokens: { before: 100, after: 30 } },
  nothing: { ranking: ["a"], selected: [], tokens: { before: 100, after: 0 } },
};
const pipeline = (query: { readonly id: string }): PipelineAnswer => answers[query.id] as PipelineAnswer;
const queries = [
  { id: "first", query: "one", tools: ["a", "b"] },
  { id: "second", query: "two", tools: ["d"] },
  { id: "nothing", query: "three", tools: [] },
];

describe("evaluate", () => {
  it("averages over queries, ranking metrics only over those that some tool serves", async () => {
    const report = await evaluate(pipeline, queries, { toolIds });
    // recall@3: 1 and 0, so 1/2; recall@5 with d at place 4: 1 and 1.
    expect(report.ranking["recall@3"]).toBe(0.5);
    expect(report.ranking["recall@5"]).toBe(1);
    // F1: 1, 0 and 1 (nothing selected where nothing fits).
    expect(report.set.f1).toBeCloseTo(2 / 3, 12);
    expect(report.set).toMatchObject({ meanSize: 1, empty: 1 / 3 });
    expect(report.tokens.before).toBe(100);
    expect(report.tokens.after).toBeCloseTo(80 / 3, 12);
    expect(report).toMatchObject({ queries: 3, tools: 4, unknownGold: 0, skipped: 0 });
  });

  it("reports latencies from the clock it is given", async () => {
    let time = 0;
    const now = (): number => (time += 2);
    const report = await evaluate(pipeline, queries, { toolIds, now });
    expect(report.latencyMs).toEqual({ p50: 2, p95: 2 });
  });

  it("leaves unknown gold tools out and says how many", async () => {
    const report = await evaluate(
      pipeline,
      [
        { id: "first", query: "one", tools: ["a", "zzz"] },
        { id: "second", query: "two", tools: ["yyy"] },
      ],
      { toolIds },
    );
    expect(report).toMatchObject({ queries: 1, unknownGold: 2, skipped: 1 });
  });

  it("refuses queries that have nothing to do with the tools", async () => {
    const foreign = [{ id: "first", query: "one", tools: ["elsewhere"] }];
    await expect(evaluate(pipeline, foreign, { toolIds })).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(evaluate(pipeline, [], { toolIds })).rejects.toSatisfy(SetwiseError.isInstance);
  });

  it("tells its progress and stops when asked to", async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    const running = evaluate(pipeline, queries, {
      toolIds,
      signal: controller.signal,
      onProgress: (done) => {
        seen.push(done);
        if (done === 2) controller.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ code: "aborted" });
    expect(seen).toEqual([1, 2]);
  });

  it("lets a timer stop it although the pipeline only computes", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const many = Array.from({ length: 2_000_000 }, () => queries[0] as (typeof queries)[0]);
    const stopped = evaluate(pipeline, many, { toolIds, signal: controller.signal });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
  });
});
