import { shopTools } from "@setwise/testkit";
import { expect, it } from "vitest";
import { createSelector } from "./create-selector.ts";
import { selectorPipeline } from "./pipeline.ts";

const selector = await createSelector({ tools: shopTools, encoder: "none" });
const query = { id: "1", query: "refund the last order", tools: [] };

it("a pipeline says how probable the first of its ranking are", async () => {
  const { ranking, probabilities } = await selectorPipeline(selector)(query);
  expect([...probabilities.keys()]).toEqual(ranking.slice(0, probabilities.size));
  const values = [...probabilities.values()];
  expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(values[0]).toBeGreaterThan(0.5);
});

it("has no probability of what is not among the candidates", async () => {
  const { ranking, probabilities } = await selectorPipeline(selector)({ ...query, query: "zorgle" });
  expect([ranking.length, probabilities.size]).toEqual([0, 0]);
  const narrow = { ...query, candidates: ["refund_order", "no such tool"] };
  const { ranking: one, probabilities: ofOne } = await selectorPipeline(selector, { ownCandidates: true })(narrow);
  expect([...ofOne.keys()]).toEqual(one);
  expect(one).toEqual(["refund_order"]);
});

it("a selector says how it compares meaning", async () => {
  expect(selector.encoder).toBeUndefined();
  expect((await createSelector({ tools: shopTools })).encoder?.name).toMatch(/^static:/);
});
