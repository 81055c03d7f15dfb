import { expect, test } from "vitest";
import type { SetModel } from "@setwise/set-scorer";
import { overlapProblems } from "./model-overlap.ts";

const modelOf = (count: number): SetModel =>
  ({ tools: Array.from({ length: count }, (_, at) => ({ id: `t${at}`, hash: "" })) }) as unknown as SetModel;
const changesOf = (known: number, renamed = 0) => ({
  known,
  renamed: Array.from({ length: renamed }, (_, at) => `r${at}`),
  added: [],
  removed: ["old_tool"],
});

test("a model of another catalog is refused, though it has a tool in common", () => {
  expect(() => overlapProblems(modelOf(100), changesOf(1), 100)).toThrow(
    /knows 1 of the 100 tools: it was trained for another catalog \(of 100 tools, "?old_tool/,
  );
});

test("a small part of a large catalog that a model knows nearly whole is told of, and most of a catalog is not", () => {
  expect(overlapProblems(modelOf(8), changesOf(5), 100)).toMatchObject([{ code: "little-known" }]);
  expect(overlapProblems(modelOf(100), changesOf(30, 19), 100)).toHaveLength(1);
  expect(overlapProblems(modelOf(100), changesOf(30, 20), 100)).toEqual([]);
});
