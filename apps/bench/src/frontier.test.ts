import { lexicalPrior } from "@setwise/adaptive-k";
import { describe, expect, it } from "vitest";
import { completeAt, fixedRule, frontierOf, isComplete, sizeRules } from "./frontier.ts";
import { frontierSvg } from "./frontier-svg.ts";
import type { SetRow } from "./set-quality-rows.ts";

const row = (right: readonly number[], rightTools: number = right.length): SetRow => ({
  scores: Float32Array.of(1, 0.9, 0.5, 0.4),
  requests: 1,
  wordEvidence: 2,
  right,
  rightTools,
  evidence: { queryCoverage: 1, nameCoverage: 1, matchedWords: 2, queryWords: 2, namesTool: false },
  bestCosine: undefined,
  margin: undefined,
  wordsCovered: Float64Array.of(0, 0.5, 0.5, 0.9, 1),
  bestByWords: 0,
});
const heldOut = { prior: lexicalPrior, gate: undefined };

describe("frontierOf", () => {
  it("has the mean size and the share complete of each amount, splits counting alike", () => {
    const splits = [
      { rows: [row([0]), row([1])], heldOut },
      { rows: [row([2])], heldOut },
    ];
    const points = frontierOf(splits, { ...fixedRule, amounts: [1, 2, 3] });
    // One tool: half of the first split, none of the second: 25. Two: 50. Three: all.
    expect(points).toEqual([
      { size: 1, complete: 25 },
      { size: 2, complete: 50 },
      { size: 3, complete: 100 },
    ]);
    expect(completeAt(points, 1.5)).toBe(37.5);
    expect(completeAt(points, 3)).toBe(100);
    expect(completeAt(points, 4)).toBeUndefined();
  });

  it("takes no answer as complete that lacks a tool which was not found", () => {
    expect(isComplete(row([0], 2), 4)).toBe(false);
    expect(isComplete(row([0, 3]), 3)).toBe(false);
    expect(isComplete(row([0, 3]), 4)).toBe(true);
  });

  it("gives every rule at least one tool and no more than there are", () => {
    for (const rule of sizeRules) {
      for (const { size } of frontierOf([{ rows: [row([0])], heldOut }], rule)) {
        expect(size, rule.name).toBeGreaterThanOrEqual(1);
        expect(size, rule.name).toBeLessThanOrEqual(4);
      }
    }
  });
});

it("the rule by words takes tools as far as each new one covers enough, worked out by hand", () => {
  const rule = sizeRules.find(({ name }) => name === "while words are covered");
  // Steps behind the first tool: 0, 0.4, 0.1.
  expect([0.5, 0.3, 0.05].map((least) => rule?.size(row([0]), heldOut, least))).toEqual([1, 3, 4]);
});

it("a frontier is drawn with a line and a name for each rule", () => {
  const points = [
    { size: 1, complete: 25 },
    { size: 3, complete: 75 },
  ];
  const svg = frontierSvg([
    { name: "fixed k", points },
    { name: "other", points },
  ]);
  expect(svg.match(/<polyline/g)).toHaveLength(2);
  expect(svg).toContain(">other</text>");
  expect(svg).not.toContain("NaN");
});
