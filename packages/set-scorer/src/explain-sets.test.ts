import { expect, test } from "vitest";
import { explainSets } from "./explain-sets.ts";
import { scoreSets } from "./score-sets.ts";

const nameOf = (tool: number): string => ["read", "write", "close"][tool] ?? "";
const candidates = {
  ids: Uint32Array.of(0, 1, 2),
  logits: Float64Array.of(1, 0.5, -2),
  pairScores: Float64Array.of(0, 2, 0, 2, 0, 0, 0, 0, 0),
  sizeOffsets: Float64Array.of(0, -1),
};

test("tools, pairs and the size add up to the score of the best set, and the runners-up say what they lack", () => {
  const { value, sentence, children } = explainSets(scoreSets(candidates), { nameOf });
  expect(value).toBeCloseTo(1 + 0.5 + 2 - 1, 12);
  expect(sentence).toContain("The set of read and write has a probability of");
  const parts = children.slice(0, 4);
  expect(parts.reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(value, 12);
  expect(parts.map((part) => part.sentence)).toEqual([
    "read by itself: 1.",
    "write by itself: 0.5.",
    "read with write: 2.",
    "A set of 2: -1.",
  ]);
  expect(children[4]?.sentence).toContain("it scores 1.5 less: it lacks write.");
});

test("the empty set and no set at all are told of in words", () => {
  const empty = explainSets(scoreSets({ ...candidates, emptyScore: 9 }), { nameOf });
  expect(empty.sentence).toContain("No tool at all");
  const both = Uint32Array.of(0, 1);
  const none = scoreSets(candidates, { require: both, atMostOne: [both] });
  expect(explainSets(none, { nameOf })).toEqual({ value: 0, sentence: "No set keeps the constraints.", children: [] });
});
