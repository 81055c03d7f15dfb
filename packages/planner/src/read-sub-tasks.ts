import { SetwiseError, type SubTask } from "@setwise/core";
import { MOST_SUB_TASKS } from "./decompose.ts";

/** What a decomposer gave, checked. */
export interface ReadSubTasks {
  /** The first of them, at most as many as `decompose` gives. */
  readonly subTasks: readonly SubTask[];
  /** A sentence where some were left out. */
  readonly problem?: string;
}

/**
 * The sub-tasks of a decomposer that someone else wrote: at most 12, since each costs a search.
 *
 * @throws SetwiseError `invalid-argument` when it gave no list of sub-tasks, each with a goal.
 */
export function readSubTasks(given: unknown, decomposer: string): ReadSubTasks {
  if (!Array.isArray(given)) {
    throw new SetwiseError("invalid-argument", `${decomposer}: expected a list of sub-tasks, got ${typeof given}.`);
  }
  const subTasks: readonly unknown[] = given.slice(0, MOST_SUB_TASKS);
  const wrong = subTasks.findIndex((task) => typeof (task as { readonly goal?: unknown } | null)?.goal !== "string");
  if (wrong >= 0) {
    throw new SetwiseError(
      "invalid-argument",
      `${decomposer}: sub-task ${wrong} has no goal. Expected { "goal": text, "tools": ids }.`,
      { position: wrong },
    );
  }
  return {
    subTasks: subTasks as readonly SubTask[],
    ...(given.length <= MOST_SUB_TASKS
      ? {}
      : { problem: `${decomposer} gave ${given.length} sub-tasks; the first ${MOST_SUB_TASKS} are planned.` }),
  };
}
