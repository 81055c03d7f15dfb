import { expect, test } from "vitest";
import { readSubTasks } from "./read-sub-tasks.ts";

test.each([[null], ["x"], [[null]], [[{}]], [[{ goal: 5 }]]])("%j is no list of sub-tasks", (given) => {
  expect(() => readSubTasks(given, "mine")).toThrow(expect.objectContaining({ code: "invalid-argument" }));
});

test("the first twelve sub-tasks are taken, and it is said that there were more", () => {
  const given = Array.from({ length: 2_000 }, (_, at) => ({ goal: `goal ${at}`, tools: [] }));
  const { subTasks, problem } = readSubTasks(given, "mine");
  expect(subTasks).toEqual(given.slice(0, 12));
  expect(problem).toBe("mine gave 2000 sub-tasks; the first 12 are planned.");
  expect(readSubTasks(given.slice(0, 12), "mine")).toEqual({ subTasks: given.slice(0, 12) });
});
