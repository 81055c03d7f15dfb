import { expect, test } from "vitest";
import { pickTerminals } from "./pick-terminals.ts";

const task = (ids: readonly number[], scores: readonly number[]) => ({
  goal: "",
  ids: Uint32Array.from(ids),
  scores: Float32Array.from(scores),
});
const picked = (...tasks: readonly ReturnType<typeof task>[]): readonly (readonly number[])[] =>
  pickTerminals(tasks).map((ids) => [...ids]);

test("a tool that serves an earlier sub-task gives way to one nearly as good", () => {
  // 1.36 · .9 = 1.224 < 1.34
  expect(picked(task([4, 7], [1.2, 0.5]), task([4, 7], [1.36, 1.34]))).toEqual([
    [4, 7],
    [7, 4],
  ]);
});

test("and stays where it is far ahead", () => {
  // 1 · .9 = .9 > .85; the third time 1 · .8 = .8 < .85
  const hotel = task([4, 7], [1, 0.85]);
  expect(picked(hotel, hotel, hotel)).toEqual([
    [4, 7],
    [4, 7],
    [7, 4],
  ]);
});

test("sub-tasks without candidates, and without scores that differ, keep what they have", () => {
  expect(picked(task([], []), task([3, 1], [0, 0]), task([3, 1], [0, 0]))).toEqual([[], [3, 1], [3, 1]]);
});
