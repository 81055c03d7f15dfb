import { describe, expect, it } from "vitest";
import { measure, type PipelineAnswer } from "./measure.ts";
import { summarise } from "./summarise.ts";

const toolIds = ["a", "b", "c"];
const answers: Record<string, Partial<PipelineAnswer>> = {
  one: { selected: ["a", "b"], probabilities: new Map([["a", 0.9]]), called: ["a"] },
  two: { selected: [], called: [] },
  none: { selected: [] },
  wrong: { selected: ["c"] },
};
const queries = [
  { id: "one", query: "1", tools: ["a"], subset: "easy" },
  { id: "two", query: "2", tools: ["a", "b"], subset: "hard" },
  { id: "none", query: "3", tools: [], subset: "hard" },
  { id: "wrong", query: "4", tools: [], subset: "hard" },
];
const measured = measure(
  ({ id }) => ({ ranking: toolIds, selected: [], tokens: { before: 300, after: 100 }, ...answers[id] }),
  queries,
  { toolIds },
);

describe("summarise", () => {
  it("splits the means by subset and by the size of the right set", async () => {
    const report = summarise(await measured);
    expect(report.bySubset.map(({ name, queries: count }) => [name, count])).toEqual([
      ["easy", 1],
      ["hard", 3],
    ]);
    // Selected a and b for a: P = 1/2, R = 1, F1 = 2/3.
    expect(report.bySubset[0]?.set.f1).toBeCloseTo(2 / 3, 12);
    // F1 of the others: 0 (nothing for a and b), 1 (rightly nothing), 0.
    expect(report.bySubset[1]?.set.f1).toBeCloseTo(1 / 3, 12);
    expect(report.bySize.map(({ name }) => name)).toEqual(["0", "1", "2"]);
    expect(report.bySize[2]?.ranking["recall@1"]).toBe(0.5);
  });

  it("counts refusals where they are right and where they are wrong", async () => {
    // Nothing fits twice, refused once; two are served by some tool, one of them falsely refused.
    expect(summarise(await measured).refusals).toEqual({
      nothingFits: 2,
      refused: 0.5,
      served: 2,
      falselyRefused: 0.5,
    });
  });

  it("says what is saved, in tokens and at a price", async () => {
    // 300 − 100 tokens a query; 1,000 queries at 2 a million: 0.6 before, 0.2 after.
    const { saved } = summarise(await measured, { pricePerMillionTokens: 2 });
    expect(saved.tokens).toBe(200);
    expect(saved.share).toBeCloseTo(2 / 3, 12);
    expect(saved.costPerThousandQueries?.before).toBeCloseTo(0.6, 12);
    expect(saved.costPerThousandQueries?.saved).toBeCloseTo(0.4, 12);
    expect(summarise(await measured).saved).not.toHaveProperty("costPerThousandQueries");
  });

  it("reports calibration and correct selection over the queries that have them", async () => {
    const report = summarise(await measured);
    // One belief of .9 that holds: |.9 − 1|.
    expect(report.calibration?.ece).toBeCloseTo(0.1, 12);
    // Called a for a: right; called nothing for a and b: wrong.
    expect(report.correctSelection).toEqual({ queries: 2, rate: 0.5 });
  });

  it("gives the latency that half and 95 % of the queries do not exceed", async () => {
    // 1 to 20 ms: the 10th is 10, the 19th (95 % of 20) is 19.
    const { results, ...rest } = await measured;
    const [one] = results;
    if (one === undefined) throw new Error("expected a result");
    const timed = Array.from({ length: 20 }, (_, at) => ({ ...one, latencyMs: 20 - at }));
    expect(summarise({ ...rest, results: timed }).latencyMs).toEqual({ p50: 10, p95: 19 });
  });

  it("carries seeds and versions", async () => {
    const { run } = summarise(await measured, { run: { pipeline: "mine", seeds: { split: 3 } } });
    expect(run).toEqual({ pipeline: "mine", seeds: { split: 3 }, versions: { node: process.version } });
  });
});
