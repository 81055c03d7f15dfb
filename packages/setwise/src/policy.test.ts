import { boundaryPolicy, fixedPolicy } from "@setwise/adaptive-k";
import type { CutPolicy } from "@setwise/core";
import { shopTools } from "@setwise/testkit";
import { beforeAll, expect, test } from "vitest";
import { createSelector } from "./create-selector.ts";
import type { SelectOptions } from "./select-options.ts";
import type { Selector } from "./selector.ts";

let selector: Selector;
beforeAll(async () => {
  selector = await createSelector({ tools: shopTools });
});

test("a policy says how many of the candidates are handed over, also where there are few tools, and why", async () => {
  const seen: number[][] = [];
  const two: CutPolicy = {
    name: "two",
    cut(scores) {
      seen.push([...scores]);
      return { k: 2, coreSize: 1, reason: "Two are enough." };
    },
  };
  const { chosen, candidates, explanation } = await selector.select("refund the order", { policy: two });
  expect(seen).toEqual([candidates.map(({ score }) => score)]);
  expect(chosen.map(({ id, role }) => [id, role])).toEqual([
    [candidates[0]?.id, "core"],
    [candidates[1]?.id, "spare"],
  ]);
  expect(explanation.sentence).toBe(`2 of ${shopTools.length} tools. Two are enough.`);
  const paper = await selector.select("refund the order", { policy: boundaryPolicy() });
  expect(paper.explanation.sentence).toContain("The largest drop of scores comes after");
});

test("limits hold with a policy, and one that keeps nothing says why", async () => {
  const policy = fixedPolicy(5);
  const atMost = await selector.select("refund the order", { policy, maxTools: 3 });
  expect(atMost.chosen).toHaveLength(3);
  expect(atMost.explanation.sentence).toContain("5 were asked for, whatever the scores. The limits make it 3.");
  const none = await selector.select("refund the order", { policy: fixedPolicy(0) });
  expect([none.status, none.explanation.sentence]).toEqual([
    "nothing-fits",
    `0 of ${shopTools.length} tools. 0 were asked for, whatever the scores.`,
  ]);
});

test("a policy beside a goal or a number, or one that is none, is refused", async () => {
  const policy = fixedPolicy(2);
  for (const options of [
    { policy, goal: "exact" },
    { policy, k: 2 },
    { policy: "gap" as unknown as CutPolicy },
    { policy: null as unknown as CutPolicy },
  ] satisfies SelectOptions[]) {
    await expect(selector.select("refund the order", options)).rejects.toMatchObject({ code: "invalid-argument" });
  }
  expect((await selector.select("refund the order", { policy, k: "auto" })).chosen).toHaveLength(2);
});
