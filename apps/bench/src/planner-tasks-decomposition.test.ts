import { expect, test } from "vitest";
import { bestReading } from "./planner-tasks-decomposition.ts";

test("the reading that finds most is chosen, and the plainer one of equals", () => {
  expect(bestReading({ whole: 0.7, clauses: 0.8, subTasks: 0.9 })).toBe("subTasks");
  expect(bestReading({ whole: 0.7, clauses: 0.8, subTasks: 0.8 })).toBe("clauses");
  expect(bestReading({ whole: 1, clauses: 1, subTasks: 1 })).toBe("whole");
});
