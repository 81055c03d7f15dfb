import { describe, expect, it } from "vitest";
import { compare, type ComparedMetric, type Comparison } from "./compare.ts";
import { measure, type Measurement, type Pipeline } from "./measure.ts";
import { seededRandom } from "@setwise/core";

const toolIds = ["a", "b", "c"];
const queries = Array.from({ length: 60 }, (_, i) => ({
  id: `q${i}`,
  query: `query ${i}`,
  tools: i % 10 === 9 ? [] : ["a"],
}));

/** Right in a share of the queries, drawn with a seed. */
function rightInShare(share: number, seed: number): Pipeline {
  const random = seededRandom(seed);
  return () => {
    const right = random() < share;
    return {
      ranking: right ? ["a", "b", "c"] : ["b", "c"],
      selected: right ? ["a"] : ["b", "c"],
      tokens: { before: 30, after: right ? 10 : 20 },
    };
  };
}

const measured = (share: number, seed = 1): Promise<Measurement> =>
  measure(rightInShare(share, seed), queries, { toolIds });
const of = (comparison: Comparison | undefined, metric: ComparedMetric): Comparison["metrics"][number] | undefined =>
  comparison?.metrics.find((one) => one.metric === metric);

describe("compare", () => {
  it("finds no difference between two runs of the same pipeline", async () => {
    const [same] = compare({ name: "one", measurement: await measured(0.6) }, [
      { name: "other", measurement: await measured(0.6) },
    ]);
    for (const metric of same?.metrics ?? []) {
      expect(metric).toMatchObject({ p: 1, adjustedP: 1, significant: false });
      expect(metric.difference).toEqual({ mean: 0, low: 0, high: 0, p: 1 });
    }
  });

  it("finds one as soon as the pipeline is another: the test above can fail", async () => {
    const [other] = compare({ name: "worse", measurement: await measured(0.3) }, [
      { name: "better", measurement: await measured(0.9) },
    ]);
    for (const metric of ["recall@5", "completeness@5", "f1", "complete"] as const) {
      expect(of(other, metric)?.significant).toBe(true);
      expect(of(other, metric)?.difference.low).toBeGreaterThan(0);
    }
    // A better pipeline selects less here.
    expect(of(other, "tokensAfter")?.difference.high).toBeLessThan(0);
  });

  it("is rarely fooled by pipelines that are equally good", async () => {
    const baseline = { name: "baseline", measurement: await measured(0.6, 100) };
    const challengers = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => ({ name: `c${i}`, measurement: await measured(0.6, 200 + i) })),
    );
    const found = compare(baseline, challengers, { resamples: 2000 }).flatMap(({ metrics }) =>
      metrics.filter(({ significant }) => significant),
    );
    expect(found).toEqual([]);
  });

  it("leaves queries that no tool serves out of ranking metrics only", async () => {
    const measurement = await measured(0.6);
    const [comparison] = compare({ name: "a", measurement }, [{ name: "b", measurement }]);
    expect(of(comparison, "recall@5")?.queries).toBe(54);
    expect(of(comparison, "f1")?.queries).toBe(60);
  });

  it("leaves out what no query has a value for, as the ranking where no tool serves any", async () => {
    const none = queries.filter(({ tools }) => tools.length === 0);
    const measurement = await measure(rightInShare(1, 1), none, { toolIds });
    const [comparison] = compare({ name: "a", measurement }, [{ name: "b", measurement }]);
    const metrics = comparison?.metrics.map(({ metric }) => metric);
    expect(metrics).toEqual(["f1", "exactMatch", "complete", "size", "tokensAfter"]);
  });

  it("calls nothing significant that a few queries cannot show", async () => {
    const few = async (count: number): Promise<Comparison | undefined> => {
      const some = queries.slice(0, count);
      const [worse, better] = [rightInShare(0, 1), rightInShare(1, 1)];
      const baseline = { name: "worse", measurement: await measure(worse, some, { toolIds }) };
      return compare(baseline, [{ name: "better", measurement: await measure(better, some, { toolIds }) }])[0];
    };
    // Three queries that all differ: 2 · 2^−3 = 0.25. The bootstrap by itself says 2 / 10,001.
    expect(of(await few(3), "f1")).toMatchObject({ p: 0.25, significant: false, difference: { mean: 1 } });
    // Nine: 2 · 2^−9 = 0.0039, times 8 metrics 0.031.
    expect(of(await few(9), "f1")).toMatchObject({ p: 2 ** -8, adjustedP: 2 ** -5, significant: true });
  });

  it("refuses measurements of other queries, of other tools, and of more", async () => {
    const baseline = { name: "a", measurement: await measured(0.6) };
    const { results } = baseline.measurement;
    const other = (changed: typeof results): (() => unknown) => {
      const measurement = { ...baseline.measurement, results: changed };
      return () => compare(baseline, [{ name: "b", measurement }]);
    };
    expect(other(results.toReversed())).toThrow(/number 1 is "q0".*"q59"/);
    expect(other(results.map((result) => ({ ...result, goldSize: 3 })))).toThrow(/same tools/);
    expect(other(results.slice(1))).toThrow(/Measure both with the same list/);
    expect(other([...results, ...results])).toThrow(/as many queries/);
    const larger = { name: "b", measurement: { ...baseline.measurement, tools: 4 } };
    expect(() => compare(baseline, [larger])).toThrow(/chose from 3 and the other from 4/);
  });
});
